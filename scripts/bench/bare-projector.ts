// What the bare projectors have in common: their documents, which both store alike, and their connections. They keep
// rows by ids, and sums by account, day, and category and month. They write no names into rows, carry no envelope from
// month to month, and know no more types of events than the histories here.
import { randomUUID } from 'node:crypto';
import kafkajs, { type Consumer } from 'kafkajs';
import { type Collection, MongoClient } from 'mongodb';
import type { DomainEvent, TransactionEntered } from '../../schemas/generated/events.ts';
import { BARE_DATABASE } from './bare-data.ts';
import type { Positioned } from './watch.ts';

/** Names of accounts, categories and so on, as their events bring them. */
export interface CatalogueEntry {
  readonly _id: string;
  readonly type: string;
  readonly data: DomainEvent['data'];
}

export interface BareTransaction extends TransactionEntered {
  readonly _id: string;
  readonly budgetId: string;
  readonly cents: number;
}

export interface Sum {
  readonly _id: string;
  readonly cents: number;
  /** Money assigned to a category in a month. */
  readonly assigned?: number;
}

export const SUMS = ['accounts', 'days', 'cells'] as const;

export interface BareStore {
  readonly client: MongoClient;
  readonly catalogue: Collection<CatalogueEntry>;
  readonly transactions: Collection<BareTransaction>;
  readonly sums: Readonly<Record<(typeof SUMS)[number], Collection<Sum>>>;
  readonly streams: Collection<Positioned>;
  readonly checkpoints: Collection<{ readonly _id: number; readonly next: number }>;
}

/** Those that a list of transactions needs: in its order, by account, by category and by payee. */
const INDEXES = [[], ['accountId'], ['categoryId'], ['payeeId']].map(fields => {
  const key = Object.fromEntries(fields.map(field => [field, 1]));
  return { key: { budgetId: 1, ...key, date: -1, _id: -1 } };
});

/** Creates the collections, and subscribes to the topic from its beginning. */
export async function openBareProjector(): Promise<{ store: BareStore; consumer: Consumer }> {
  const { MONGODB_URL = '', KAFKA_BROKERS = '', EVENTS_TOPIC = '' } = process.env;
  const client = await new MongoClient(MONGODB_URL).connect();
  const database = client.db(BARE_DATABASE);
  const store: BareStore = {
    client,
    catalogue: await database.createCollection('catalogue'),
    transactions: await database.createCollection('transactions'),
    sums: {
      accounts: await database.createCollection('accounts'),
      days: await database.createCollection('days'),
      cells: await database.createCollection('cells'),
    },
    streams: await database.createCollection('streams'),
    checkpoints: await database.createCollection('checkpoints'),
  };
  await store.transactions.createIndexes(INDEXES);
  const kafka = new kafkajs.Kafka({
    brokers: KAFKA_BROKERS.split(','),
    logLevel: kafkajs.logLevel.NOTHING,
  });
  const consumer = kafka.consumer({ groupId: `bare.${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic: EVENTS_TOPIC, fromBeginning: true });
  return { store, consumer };
}

/** Returns the document of a transaction. */
export function bareTransactionOf(budgetId: string, data: TransactionEntered): BareTransaction {
  const _id = `${budgetId}/${data.transactionId}`;
  return { ...data, _id, budgetId, cents: centsOf(data.amount) };
}

/** Returns the id of the document of each kind that contains the transaction's amount. */
export function sumsOf({ budgetId, accountId, categoryId, date }: BareTransaction) {
  return {
    accounts: `${budgetId}/${accountId}`,
    days: `${budgetId}/${accountId}/${date}`,
    cells: cellId(budgetId, `${categoryId}`, date),
  };
}

export function cellId(budgetId: string, categoryId: string, date: string): string {
  return `${budgetId}/${categoryId}/${date.slice(0, 'YYYY-MM'.length)}`;
}

export function centsOf(amount: string): number {
  return Math.round(Number(amount) * 100);
}
