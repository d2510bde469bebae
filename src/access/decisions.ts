// Operators' decisions: events that were skipped. They are input, not read model: obeyed live, in rebuilds and
// by verification, and never touched by a rebuild.
import type { ClientSession, Db } from 'mongodb';

export interface Decision {
  /** `subject/sequence/event id` */
  _id: string;
  subject: string;
  /** The number that counts as applied without effect; 0 for a record that had none. */
  sequence: number;
  /** Null stands for any event of that number: a missing one that nobody will send. */
  eventId: string | null;
  decidedAt: Date;
}

/** `eventId` null: a number that will never come. */
export type NewDecision = Pick<Decision, 'subject' | 'sequence' | 'eventId'>;

/** Says whether an event is to be dropped without effect. */
export type IsSkipped = (subject: string, sequence: number, eventId: string | null) => boolean;

export interface DecisionLog {
  /** All decisions; there are few, for each is an operator's own act. */
  load(): Promise<IsSkipped>;
  /** Remembers that an event is skipped, in the session's transaction where one is given. Twice is once. */
  remember(decision: NewDecision, now: Date, session?: ClientSession): Promise<void>;
}

export function createDecisionLog(db: Db): DecisionLog {
  const decisions = db.collection<Decision>('decisions');
  return {
    async load() {
      const ids = new Set<string>();
      for await (const { _id } of decisions.find()) ids.add(_id);
      if (ids.size === 0) return () => false;
      return (subject, sequence, eventId) =>
        ids.has(decisionId(subject, sequence, eventId)) ||
        ids.has(decisionId(subject, sequence, null));
    },
    async remember({ subject, sequence, eventId }, now, session) {
      const decision = { subject, sequence, eventId, decidedAt: now };
      await decisions.updateOne(
        { _id: decisionId(subject, sequence, eventId) },
        { $setOnInsert: decision },
        { upsert: true, ...(session ? { session } : { writeConcern: { w: 'majority' } }) },
      );
    },
  };
}

function decisionId(subject: string, sequence: number, eventId: string | null): string {
  return `${subject}/${sequence}/${eventId ?? ''}`;
}
