// The results of the last verifications, stored beside the registry so that every process can show them.
import type { Db } from 'mongodb';
import { isDropped, readRegistry } from './registry.ts';

/** The verified part of the log: everything, a sample of the streams, or one stream. */
export type VerificationScope = 'all' | 'sample' | 'stream';

export interface Verification {
  readonly generation: string;
  readonly scope: VerificationScope;
  readonly at: Date;
  readonly streams: number;
  readonly documents: number;
  readonly differences: number;
  /** Number of damages of the log. */
  readonly damages: number;
}

type StoredVerification = Verification & { readonly _id: string };

function collection(db: Db) {
  return db.collection<StoredVerification>('verifications');
}

/** Replaces the last result of its generation and scope, and removes results of generations that are dropped. */
export async function recordVerification(db: Db, verification: Verification): Promise<void> {
  const { generation, scope } = verification;
  const filter = { _id: `${generation}/${scope}` };
  await collection(db).replaceOne(filter, verification, { upsert: true });
  const known = await collection(db).distinct('generation');
  const registry = await readRegistry(db);
  const dropped = known.filter(id => isDropped(registry, id));
  await collection(db).deleteMany({ generation: { $in: dropped } });
}

/** Returns the last result of each generation and scope. */
export async function lastVerifications(db: Db): Promise<Verification[]> {
  const stored = await collection(db).find().sort({ _id: 1 }).toArray();
  return stored.map(({ _id, ...verification }) => verification);
}
