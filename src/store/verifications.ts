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
 *
 * @param since when the verification began: it says nothing about what another one found later
 */
export async function recordVerification(
  db: Db,
  verification: Verification,
  since: Date,
): Promise<void> {
  const { generation, scope, stream, differences, damages } = verification;
  const isClean = differences + damages === 0;
  const ofStream = `${generation}/stream/${stream}`;
  const _id = scope === 'stream' && !isClean ? ofStream : `${generation}/${scope}`;
  const clean = { differences: 0, damages: 0 };
  const earlier = { at: { $lt: since } };
  // A result without differences keeps those that another one found, but all that was verified replaces earlier ones.
  const guard = {
    sample: clean,
    all: { $or: [clean, earlier] },
    stream: {},
  }[scope];
  await collection(db)
    .replaceOne({ _id, ...(isClean && guard) }, verification, { upsert: true })
    .catch(error => {
      if (error.code !== DUPLICATE_KEY) throw error;
    });
  if (scope === 'stream' && isClean) await collection(db).deleteOne({ _id: ofStream, ...earlier });
  if (scope === 'all') {
    await collection(db).deleteMany({ generation, scope: { $ne: 'all' }, ...earlier });
  }
  const known = await collection(db).distinct('generation');
  const registry = await readRegistry(db);
  const dropped = known.filter(id => isDropped(registry, id));
  await collection(db).deleteMany({ generation: { $in: dropped } });
}

/** Returns the last result of each scope, of the generations that there are; of single streams each that has differences. */
export async function lastVerifications(db: Db): Promise<Verification[]> {
  const stored = await collection(db).find().sort({ _id: 1 }).toArray();
  const registry = await readRegistry(db);
  return stored
    .filter(({ generation }) => !isDropped(registry, generation))
    .map(({ _id, ...verification }) => verification);
}
