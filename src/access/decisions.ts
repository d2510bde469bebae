// Operators' decisions: skipped events. They are input, not part of the read model: live projection, rebuilds and
// verification obey them, and no rebuild changes them.
import type { ClientSession, Db } from 'mongodb';

export interface Decision {
  /** `subject/sequence/event id` */
  _id: string;
  subject: string;
  /** The sequence that counts as applied without effect; 0 for a record without a sequence. */
  sequence: number;
  /** Null matches any event with that sequence: a missing event that will never arrive. */
  eventId: string | null;
  decidedAt: Date;
}

export type NewDecision = Pick<Decision, 'subject' | 'sequence' | 'eventId'>;

/** Returns whether an event is to be dropped without effect. */
export type IsSkipped = (subject: string, sequence: number, eventId: string | null) => boolean;

export interface DecisionLog {
  /** Loads all decisions. They are few, because an operator makes each by hand. */
  load(): Promise<IsSkipped>;
  /** Stores that an event is skipped, in the session's transaction if one is given. Repeating it changes nothing. */
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
