// The data of the bare reader: the product's own answers, stored as plain documents.
import type { World } from './world.ts';

export const BARE_DATABASE = 'bare';

/** A transaction as it is served, its id as the document's. */
export interface BareRow {
  readonly _id: string;
  readonly budgetId: string;
  /** Order of the list, highest first. */
  readonly place: number;
  readonly [field: string]: unknown;
}

/** Answers are JSON objects whose fields the bench does not name. */
type Answer = Readonly<Record<string, unknown>>;

/** Copies the first page of a budget's transactions, so that both readers serve the same rows. */
export async function copyRows(world: World, budgetId: string): Promise<void> {
  const { transactions } = await fetchAnswer(world, `/transactions?budget_id=${budgetId}`);
  const { client } = world.database;
  const collection = client.db(BARE_DATABASE).collection<BareRow>('transactions');
  const stored = (transactions as readonly Answer[]).map(({ id, ...fields }, index) => ({
    ...fields,
    _id: `${budgetId}/${id}`,
    budgetId,
    place: -index,
  }));
  await collection.createIndex({ budgetId: 1, place: -1 });
  // Several figures copy the same page.
  await collection.deleteMany({ budgetId });
  await collection.insertMany(stored);
}

/** Stores a whole answer as one document with the id `path`. */
export async function copyAnswer(world: World, question: string, path: string): Promise<void> {
  const answer = await fetchAnswer(world, question);
  const { client } = world.database;
  const collection = client.db(BARE_DATABASE).collection<Answer & { _id: string }>('documents');
  await collection.replaceOne({ _id: path }, answer, { upsert: true });
}

async function fetchAnswer(world: World, question: string): Promise<Answer> {
  const { url, headers = {} } = world.asked(question);
  const response = await fetch(String(url), { headers });
  if (response.status !== 200)
    throw new Error(`Expected ${question} to be 200, got ${response.status}`);
  return (await response.json()) as Answer;
}
