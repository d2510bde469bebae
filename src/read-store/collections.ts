// The collections of one generation of the read model, the form in which they are stored, and their indexes.
import { type Binary, type Collection, type Db, type IndexDescription, Long } from 'mongodb';
import type {
  Account,
  AccountDays,
  AccountMonths,
  Category,
  CategoryGroup,
  CategoryMonths,
  Head,
  MemoBlock,
  Payee,
  Year,
} from '../../projections/documents.ts';
import type { StoredAlarm } from './parking-alarm.ts';
import type { StoredShadowSet } from './shadow-sets.ts';

/** A document of a set is found by the id of its set and its own id, in one string. */
export type Stored<T> = Omit<T, 'id'> & { _id: string; id: string };

export type StoredHead = Omit<Head, 'id'> & { _id: string };

/** A row as it is stored: the text it is served as, beside the few fields that filters and order need. */
export interface StoredRow {
  /** `set/transactionId` */
  _id: string;
  set: string;
  /** projections/place.ts: order of the list, highest first. */
  place: number;
  account: string;
  /** Absent where the row has none, so that the partial indexes stay small. */
  category?: string;
  payee?: string;
  transfer?: string;
  labels?: string[];
  onBudget: boolean;
  internal: boolean;
  /** See months.md: on budget, no category, no transfer between on-budget accounts. */
  uncategorized: boolean;
  cleared: boolean;
  /** Folded payee, memo and category name, joined by a character that folding never yields (projections/fold.ts). */
  search: string;
  /** The transaction as served: JSON text. */
  json: string;
}

/** An event that waits in the queue of a held stream. */
export interface StoredWaiting {
  /** `subject/sequence padded/event id` */
  _id: string;
  subject: string;
  sequence: number;
  partition: number;
  offset: number;
  eventId: string | null;
  /** The record's value as it came. */
  value: string;
  /** The time shown of it, where it is no valid event. */
  timestamp?: string;
}

/** A record that belongs to no stream. It takes no number; the log still has its bytes. */
export interface StoredQuarantined extends StoredWaiting {
  /** Why, in a sentence; absent in what earlier releases stored. */
  reason?: string;
}

/** A document set that nothing points to any more; its documents are removed in small steps. */
export interface StoredSweep {
  _id: string;
}

export interface StoredCheckpoint {
  /** The partition. */
  _id: number;
  epoch: number;
  /** The next offset to apply. */
  next: number;
  owner: string;
  /** Ids of the owner's server sessions: the next owner can end them. */
  sessions: Binary[];
  /** Partitions of the log at the first claim; absent in what earlier releases stored. */
  partitions?: number;
  /** Since when nothing is applied from the partition, and why: the log is not the one that was projected. */
  halted?: { at: Date; reason: string } | null;
  /** Counts the switches of generations that it took part in. */
  switches?: number;
  /** Hash of the record at the log's start and of the one before `next`, with their offsets. */
  fingerprints: { offset: number; hash: string }[];
  /** Number of the pause that keeps it from being moved; absent while it may be moved. */
  paused?: number;
}

export interface GenerationCollections {
  readonly heads: Collection<StoredHead>;
  readonly waiting: Collection<StoredWaiting>;
  /** Records that belong to no stream, kept for an operator's look. */
  readonly quarantine: Collection<StoredQuarantined>;
  readonly sweeps: Collection<StoredSweep>;
  /** Document sets that are being written as shadow sets, by stream. */
  readonly asides: Collection<StoredShadowSet>;
  readonly checkpoints: Collection<StoredCheckpoint>;
  /** One document: the parking alarm. */
  readonly alarms: Collection<StoredAlarm>;
  readonly accounts: Collection<Stored<Account>>;
  readonly groups: Collection<Stored<CategoryGroup>>;
  readonly categories: Collection<Stored<Category>>;
  readonly payees: Collection<Stored<Payee>>;
  readonly labels: Collection<Stored<Payee>>;
  readonly rows: Collection<StoredRow>;
  readonly accountMonths: Collection<Stored<AccountMonths>>;
  readonly accountDays: Collection<Stored<AccountDays>>;
  readonly categoryMonths: Collection<Stored<CategoryMonths>>;
  readonly years: Collection<Stored<Year>>;
  readonly memoBlocks: Collection<Stored<MemoBlock>>;
}

const byName: IndexDescription = { key: { set: 1, nameKey: 1, id: 1 } };

/** The order in which rows are listed. */
export const BY_PLACE = { set: 1, place: -1 } as const;
export const BY_PAYEE = { set: 1, payee: 1, place: -1 } as const;
export const BY_CATEGORY = { set: 1, category: 1, place: -1 } as const;

export const INDEXES: Readonly<Record<keyof GenerationCollections, readonly IndexDescription[]>> = {
  heads: [
    { key: { 'space.members': 1 }, sparse: true },
    { key: { 'budget.spaceId': 1 }, sparse: true },
    { key: { 'held.why': 1 }, sparse: true },
  ],
  waiting: [{ key: { subject: 1, sequence: 1, offset: 1 } }],
  quarantine: [],
  sweeps: [],
  asides: [{ key: { partition: 1 } }],
  checkpoints: [],
  alarms: [],
  accounts: [{ key: { set: 1 } }],
  groups: [{ key: { set: 1 } }],
  categories: [{ key: { set: 1 } }],
  payees: [byName],
  labels: [byName],
  rows: [
    { key: BY_PLACE },
    { key: { set: 1, account: 1, place: -1 } },
    { key: BY_CATEGORY, partialFilterExpression: { category: { $exists: true } } },
    { key: BY_PAYEE, partialFilterExpression: { payee: { $exists: true } } },
    { key: { set: 1, transfer: 1 }, partialFilterExpression: { transfer: { $exists: true } } },
    { key: { set: 1, labels: 1 }, partialFilterExpression: { labels: { $exists: true } } },
    {
      key: { set: 1, place: -1, uncategorized: 1 },
      partialFilterExpression: { uncategorized: true },
    },
    { key: { set: 1, place: -1, cleared: 1 }, partialFilterExpression: { cleared: false } },
  ],
  accountMonths: [{ key: { set: 1 } }],
  accountDays: [{ key: { set: 1 } }],
  categoryMonths: [{ key: { set: 1 } }],
  years: [{ key: { set: 1, id: -1 } }],
  memoBlocks: [{ key: { set: 1 } }],
};

/** The collections of a generation: its id is the prefix of their names. */
export function generationCollections(db: Db, generation: string): GenerationCollections {
  const names = Object.keys(INDEXES) as (keyof GenerationCollections)[];
  const entries = names.map(name => [name, db.collection(`${generation}_${name}`)] as const);
  return Object.fromEntries(entries) as unknown as GenerationCollections;
}

/** Creates the collections and indexes of a generation; does nothing where they are. */
export async function createCollections(db: Db, generation: string): Promise<void> {
  for (const [name, indexes] of Object.entries(INDEXES)) {
    const collection = await ensureCollection(db, `${generation}_${name}`);
    if (indexes.length > 0) await collection.createIndexes([...indexes]);
  }
}

async function ensureCollection(db: Db, name: string): Promise<Collection> {
  try {
    return await db.createCollection(name);
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NamespaceExists') return db.collection(name);
    throw error;
  }
}

/** Money is stored as a 64-bit integer; the driver gives it back as a safe integer. */
export function money(amount: number): Long {
  return Long.fromNumber(amount);
}
