// A careful projector, as a peer: one transaction for 500 events with the checkpoint of their partition, in which bulk
// writes add to sums by $inc. It validates nothing, and no former owner of a partition is fenced off.
import type { KafkaMessage } from 'kafkajs';
import type { AnyBulkWriteOperation, ClientSession, Collection, Document } from 'mongodb';
import type { DomainEvent } from '../../../schemas/generated/events.ts';
import {
  type BareTransaction,
  bareTransactionOf,
  cellId,
  centsOf,
  openBareProjector,
  SUMS,
  sumsOf,
} from '../bare-projector.ts';

const EVENTS_MAX = 500;

const { store, consumer } = await openBareProjector();
const { client, catalogue, transactions, sums, streams, checkpoints } = store;

await consumer.run({
  eachBatch: async ({ batch: { partition, messages }, heartbeat }) => {
    const { next = 0 } = (await checkpoints.findOne({ _id: partition })) ?? {};
    const fresh = messages.filter(({ offset }) => Number(offset) >= next);
    for (let from = 0; from < fresh.length; from += EVENTS_MAX) {
      await apply(partition, fresh.slice(from, from + EVENTS_MAX));
      await heartbeat();
    }
  },
});
process.on('SIGTERM', () => process.exit(0));

/** The changes of some events. */
interface Changes {
  /** By id; null for a deleted one. */
  readonly rows: Map<string, BareTransaction | null>;
  /** What to add, by id. */
  readonly sums: Readonly<Record<(typeof SUMS)[number], Map<string, number>>>;
  /** Money assigned, by the id of the cell. */
  readonly assigned: Map<string, number>;
  readonly catalogue: DomainEvent[];
  /** Last sequences, by stream. */
  readonly streams: Map<string, number>;
}

async function apply(partition: number, messages: readonly KafkaMessage[]): Promise<void> {
  const events = messages.map(({ value }): DomainEvent => JSON.parse(String(value)));
  const stored = await storedRows(events);
  const changes = fold(events, stored);
  const next = Number(messages.at(-1)?.offset) + 1;
  await client.withSession(session =>
    session.withTransaction(async () => {
      const checkpoint = { _id: partition };
      await checkpoints.updateOne(checkpoint, { $set: { next } }, { session, upsert: true });
      await write(changes, stored, session);
    }),
  );
}

/** Loads the rows that the events change or delete. */
async function storedRows(events: readonly DomainEvent[]): Promise<Map<string, BareTransaction>> {
  const ids = events.flatMap(({ type, subject, data }) =>
    type === 'transaction.changed' || type === 'transaction.deleted'
      ? [`${subject}/${data.transactionId}`]
      : [],
  );
  const found = await transactions.find({ _id: { $in: ids } }).toArray();
  return new Map(found.map(row => [row._id, row]));
}

function fold(
  events: readonly DomainEvent[],
  stored: ReadonlyMap<string, BareTransaction>,
): Changes {
  const changes: Changes = {
    rows: new Map(),
    sums: { accounts: new Map(), days: new Map(), cells: new Map() },
    assigned: new Map(),
    catalogue: [],
    streams: new Map(),
  };
  const put = (id: string, after: BareTransaction | null) => {
    const before = changes.rows.has(id) ? changes.rows.get(id) : stored.get(id);
    if (before) add(changes, before, -1);
    if (after) add(changes, after, 1);
    changes.rows.set(id, after);
  };
  for (const event of events) {
    const { type, subject, data } = event;
    changes.streams.set(subject, event.sequence);
    if (type === 'transaction.entered' || type === 'transaction.changed') {
      put(`${subject}/${data.transactionId}`, bareTransactionOf(subject, data));
    } else if (type === 'transaction.deleted') {
      put(`${subject}/${data.transactionId}`, null);
    } else if (type === 'envelope.assigned') {
      const cell = cellId(subject, data.categoryId, data.month);
      changes.assigned.set(cell, centsOf(data.amount));
    } else {
      changes.catalogue.push(event);
    }
  }
  return changes;
}

function add(changes: Changes, row: BareTransaction, sign: 1 | -1): void {
  const ids = sumsOf(row);
  for (const kind of SUMS) {
    const added = changes.sums[kind];
    added.set(ids[kind], (added.get(ids[kind]) ?? 0) + sign * row.cents);
  }
}

async function write(
  changes: Changes,
  stored: ReadonlyMap<string, BareTransaction>,
  session: ClientSession,
): Promise<void> {
  await bulkWrite(transactions, session, rowWrites(changes, stored));
  for (const kind of SUMS) {
    const added = [...changes.sums[kind]];
    const adding = added.map(([_id, cents]) => updating(_id, { $inc: { cents } }));
    await bulkWrite(sums[kind], session, adding);
  }
  const assigned = [...changes.assigned];
  const assigning = assigned.map(([_id, cents]) => updating(_id, { $set: { assigned: cents } }));
  await bulkWrite(sums.cells, session, assigning);
  const named = changes.catalogue.map(({ subject, sequence, type, data }) =>
    updating(`${subject}/${sequence}`, { $set: { type, data } }),
  );
  await bulkWrite(catalogue, session, named);
  const moved = [...changes.streams];
  const moving = moved.map(([_id, sequence]) => updating(_id, { $set: { sequence } }));
  await bulkWrite(streams, session, moving);
}

function rowWrites(
  { rows }: Changes,
  stored: ReadonlyMap<string, BareTransaction>,
): AnyBulkWriteOperation<BareTransaction>[] {
  return [...rows].map(([_id, row]) => {
    if (row === null) return { deleteOne: { filter: { _id } } };
    if (!stored.has(_id)) return { insertOne: { document: row } };
    return { replaceOne: { filter: { _id }, replacement: row } };
  });
}

function updating(_id: string, update: Document) {
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

async function bulkWrite<T extends Document>(
  collection: Collection<T>,
  session: ClientSession,
  operations: AnyBulkWriteOperation<T>[],
): Promise<void> {
  if (operations.length > 0) await collection.bulkWrite(operations, { session, ordered: false });
}
