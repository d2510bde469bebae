// A projector as people write it by hand, as a peer: kafkajs' eachMessage; one transaction for each event loads its
// documents, changes them and saves them.
import type { ClientSession } from 'mongodb';
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

const { store, consumer } = await openBareProjector();
const { client, catalogue, transactions, sums, streams } = store;

await consumer.run({
  eachMessage: async ({ message: { value } }) => {
    const event: DomainEvent = JSON.parse(String(value));
    await client.withSession(session => session.withTransaction(() => project(event, session)));
  },
});
process.on('SIGTERM', () => process.exit(0));

async function project(event: DomainEvent, session: ClientSession): Promise<void> {
  const { subject, sequence } = event;
  const stream = await streams.findOne({ _id: subject }, { session });
  // An event that came twice.
  if (stream !== null && stream.sequence >= sequence) return;
  await apply(event, session);
  await streams.replaceOne({ _id: subject }, { sequence }, { session, upsert: true });
}

async function apply(event: DomainEvent, session: ClientSession): Promise<void> {
  const { subject, type, data } = event;
  const saving = { session, upsert: true };
  switch (type) {
    case 'transaction.entered': {
      const entered = bareTransactionOf(subject, data);
      await add(entered, 1, session);
      await transactions.insertOne(entered, { session });
      return;
    }
    case 'transaction.changed': {
      const after = bareTransactionOf(subject, data);
      const before = await transactions.findOne({ _id: after._id }, { session });
      if (before !== null) await add(before, -1, session);
      await add(after, 1, session);
      await transactions.replaceOne({ _id: after._id }, after, { session });
      return;
    }
    case 'transaction.deleted': {
      const _id = `${subject}/${data.transactionId}`;
      const before = await transactions.findOne({ _id }, { session });
      if (before !== null) await add(before, -1, session);
      await transactions.deleteOne({ _id }, { session });
      return;
    }
    case 'envelope.assigned': {
      const _id = cellId(subject, data.categoryId, data.month);
      const cell = (await sums.cells.findOne({ _id }, { session })) ?? { _id, cents: 0 };
      await sums.cells.replaceOne({ _id }, { ...cell, assigned: centsOf(data.amount) }, saving);
      return;
    }
    default: {
      const _id = `${subject}/${event.sequence}`;
      await catalogue.replaceOne({ _id }, { type, data }, saving);
    }
  }
}

async function add(row: BareTransaction, sign: 1 | -1, session: ClientSession): Promise<void> {
  const ids = sumsOf(row);
  for (const kind of SUMS) {
    const _id = ids[kind];
    const sum = (await sums[kind].findOne({ _id }, { session })) ?? { _id, cents: 0 };
    const changed = { ...sum, cents: sum.cents + sign * row.cents };
    await sums[kind].replaceOne({ _id }, changed, { session, upsert: true });
  }
}
