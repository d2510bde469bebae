// The progress of the projectors, read from their checkpoints and heads.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';
import { generationCollections } from '../../src/store/collections.ts';
import { readRegistry } from '../../src/store/registry.ts';
import { ROW_INDEXES } from '../../src/store/row-codec.ts';
import type { Positioned } from './watch.ts';

const POLL_MS = 20;

/** Returns the id of the newest generation, null if there is none yet. */
export async function generationOf(database: Db): Promise<string | null> {
  return (await readRegistry(database)).generations.at(-1)?.id ?? null;
}

/** Returns the collection of the newest generation's streams, with the position of each. */
export async function headsOf(database: Db): Promise<Collection<Positioned>> {
  return database.collection(await headsName(database));
}

export async function headsName(database: Db): Promise<string> {
  return `${await generationOf(database)}_heads`;
}

/** Returns the number of records that the newest generation accounts for, over all partitions. */
export async function appliedRecords(database: Db): Promise<number> {
  const generation = await generationOf(database);
  if (generation === null) return 0;
  const { checkpoints } = generationCollections(database, generation);
  const found = await checkpoints.find({}, { projection: { next: 1 } }).toArray();
  return found.reduce((total, { next }) => total + next, 0);
}

/** Fails if a stream is held or a record is in quarantine: the generated events are wrong then. */
export async function checkNothingHeld(database: Db): Promise<void> {
  const generation = (await generationOf(database)) ?? '';
  const { heads, quarantine } = generationCollections(database, generation);
  const held = await heads.findOne({ held: { $ne: null } });
  if (held !== null) throw new Error(`Expected no stream to be held: ${held.held?.reason}`);
  const strange = await quarantine.findOne();
  if (strange !== null) throw new Error(`Expected events of a stream, got ${strange.value}`);
}

/** Returns whether all indexes of the newest generation's rows are built; some are built after the rows. */
export async function rowIndexesAreBuilt(database: Db): Promise<boolean> {
  const { rows } = generationCollections(database, (await generationOf(database)) ?? '');
  const listed = (await rows.indexes()).map(({ key }) => JSON.stringify(key));
  if (!ROW_INDEXES.every(({ key }) => listed.includes(JSON.stringify(key)))) return false;
  // An index is listed while it is being built; this waits for the end.
  await rows.createIndexes([...ROW_INDEXES]);
  return true;
}

/** Returns whether a generation is active: it was verified, then switched to. */
export async function isActive(database: Db): Promise<boolean> {
  return (await readRegistry(database)).active !== null;
}

export async function until(isSo: () => Promise<boolean>, pauseMs = POLL_MS): Promise<void> {
  while (!(await isSo())) await sleep(pauseMs);
}
