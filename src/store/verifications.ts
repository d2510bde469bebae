// The results of the last verifications, stored beside the registry so that every process can show them.
import type { Db } from 'mongodb';
import { DUPLICATE_KEY } from './database-errors.ts';
import { isDropped, readRegistry } from './registry.ts';

/** The verified part of the log: everything, a sample of the streams, or one stream. */
export type VerificationScope = 'all' | 'sample' | 'stream';

export interface Verification {
  readonly generation: string;
  readonly scope: VerificationScope;
  /** The one stream of the scope `stream`. */
  readonly stream?: string;
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

/**
 * Replaces the last result of its generation and scope, and removes results of generations that are dropped. What a part
 * found wrong stays until all is verified, or that stream again: another part says nothing about it.
 */
export async function recordVerification(db: Db, verification: Verification): Promise<void> {
  const { generation, scope } = verification;
  const place = { _id: `${generation}/${scope}` };
  await collection(db)
    .replaceOne({ ...place, ...replacedBy(verification) }, verification, { upsert: true })
    .catch(error => {
      if (error.code !== DUPLICATE_KEY) throw error;
    });
  if (scope === 'all') {
    await collection(db).deleteMany({ generation, scope: { $ne: 'all' } });
  }
  const known = await collection(db).distinct('generation');
  const registry = await readRegistry(db);
  const dropped = known.filter(id => isDropped(registry, id));
  await collection(db).deleteMany({ generation: { $in: dropped } });
}

/** Returns which results a result replaces. */
function replacedBy({ scope, stream, differences, damages }: Verification): object {
  if (scope === 'all' || differences + damages > 0) return {};
  const isClean = { differences: 0, damages: 0 };
  return stream === undefined ? isClean : { $or: [isClean, { stream }] };
}

/** Returns the last result of each scope, of the generations that there are. */
export async function lastVerifications(db: Db): Promise<Verification[]> {
  const stored = await collection(db).find().sort({ _id: 1 }).toArray();
  const registry = await readRegistry(db);
  return stored
    .filter(({ generation }) => !isDropped(registry, generation))
    .map(({ _id, ...verification }) => verification);
}
