// Operators' decisions: skipped events. They are input, not part of the read model: live projection, rebuilds and
// verification obey them, and no rebuild changes them.
import { isDeepStrictEqual } from 'node:util';
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
  /** Loads all decisions as they are now; from memory, where none has come since. */
  load(): Promise<IsSkipped>;
  /** Stores that an event is skipped, in the session's transaction if one is given. Repeating it changes nothing. */
  remember(decision: NewDecision, now: Date, session?: ClientSession): Promise<void>;
}

/** What a decision changes: none is ever changed or removed. One gap that is given up makes up to a thousand of them. */
interface State {
  readonly count: number;
  readonly last: Date | null;
}

const NONE: State = { count: 0, last: null };
const STATE = [
  // By the index of ids.
  { $match: { _id: { $gte: '' } } },
  { $group: { _id: null, count: { $sum: 1 }, last: { $max: '$decidedAt' } } },
  { $project: { _id: 0 } },
];
const IDS_PER_REPLY = 10_000;

export function createDecisionLog(db: Db): DecisionLog {
  const decisions = db.collection<Decision>('decisions');
  let known: { readonly state: State; readonly ids: ReadonlySet<string> } | null = null;
  return {
    async load() {
      const [state = NONE] = await decisions.aggregate<State>(STATE).toArray();
      if (state.count === 0) return () => false;
      if (known === null || !isDeepStrictEqual(known.state, state)) {
        const found = decisions.find({}, { projection: { _id: 1 }, batchSize: IDS_PER_REPLY });
        known = { state, ids: new Set(await found.map(({ _id }) => _id).toArray()) };
      }
      const { ids } = known;
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
