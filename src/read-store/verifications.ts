// What the last verifications found, kept beside the registry: each process can tell, whichever one verified.
import type { Db } from 'mongodb';
import { readRegistry } from './registry.ts';

/** What was held against the log: everything, a sample of the streams, or one stream. */
export type VerificationScope = 'all' | 'sample' | 'stream';

export interface Verification {
  readonly generation: string;
  readonly scope: VerificationScope;
  readonly at: Date;
  readonly streams: number;
  readonly documents: number;
  readonly differences: number;
  /** What the log has lost; absent in what earlier releases stored. */
  readonly damages?: number;
}

type StoredVerification = Verification & { readonly _id: string };

function collection(db: Db) {
  return db.collection<StoredVerification>('verifications');
}

/** Takes the place of the last one of its generation and scope; what is told of generations that are gone goes. */
export async function recordVerification(db: Db, verification: Verification): Promise<void> {
  const { generation, scope } = verification;
  const filter = { _id: `${generation}/${scope}` };
  await collection(db).replaceOne(filter, verification, { upsert: true });
  const { generations } = await readRegistry(db);
  await collection(db).deleteMany({ generation: { $nin: generations.map(({ id }) => id) } });
}

/** The last one of each generation and scope. */
export async function lastVerifications(db: Db): Promise<Verification[]> {
  const stored = await collection(db).find().sort({ _id: 1 }).toArray();
  return stored.map(({ _id, ...verification }) => verification);
}
