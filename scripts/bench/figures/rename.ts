// The rename of an account with very many rows: its duration, and the longest wait of other budgets meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { BARE_DATABASE } from '../bare-data.ts';
import type { BenchFigure } from '../bench.ts';
import { stream } from '../history.ts';
import { generationOf, headsName } from '../progress.ts';
import { type Watch, watchPositions } from '../watch.ts';
import { positionOf, type World } from '../world.ts';

const RENAMED = 'renamed';
const OTHER = 'other';
const PAUSE_MS = 100;
const BEFORE = 20;

export const renameFigure: BenchFigure = {
  name: 'rename',
  async measure(bench) {
    const world = await bench.world();
    const { renamedRows } = bench.sizes;
    await world.budget(RENAMED, renamedRows, { skew: 100 });
    await world.budget(OTHER, 100);
    const plainSeconds = await updateCopies(world);
    const watch = await watchPositions(world.database, await headsName(world.database));
    const other = await askInTurns(world, watch, OTHER);
    let quiet = 0;
    for (let turn = 0; turn < BEFORE; turn += 1) quiet = Math.max(quiet, await other());
    const sequence = (await positionOf(world, RENAMED)) + 1;
    const event = stream(RENAMED, sequence);
    const startedAt = performance.now();
    const renaming = { accountId: 'account-0', name: 'Renamed' };
    await world.topic.append([event('account.renamed', renaming)]);
    let doneAt: number | undefined;
    const done = watch.reached(RENAMED, sequence).then(at => {
      doneAt = at;
      return at;
    });
    let busy = 0;
    while (doneAt === undefined) busy = Math.max(busy, await other());
    const seconds = ((await done) - startedAt) / 1000;
    await watch.close();
    return [
      {
        what: `Rename of an account with ${renamedRows} rows: longest wait of others`,
        against: 'longest wait before it',
        unit: 's',
        rounds: { subject: [busy / 1000], baseline: [quiet / 1000] },
        goal: { value: { atMost: 1 } },
      },
      {
        what: `Rename of an account with ${renamedRows} rows: done`,
        against: 'updateMany of the same rows',
        unit: 's',
        rounds: { subject: [seconds], baseline: [plainSeconds] },
        goal: { value: { atMost: 15 } },
      },
    ];
  },
};

/** Returns a function that appends an event to a budget and returns the milliseconds until it is readable. */
async function askInTurns(world: World, watch: Watch, id: string): Promise<() => Promise<number>> {
  let sequence = await positionOf(world, id);
  const event = stream(id, sequence + 1);
  return async () => {
    await sleep(PAUSE_MS);
    sequence += 1;
    const sentAt = performance.now();
    const reached = watch.reached(id, sequence);
    await world.topic.append([event('budget.renamed', { name: `Turn ${sequence}` })]);
    return (await reached) - sentAt;
  };
}

/** Returns the seconds of one plain update of a copy of the stored rows, which has the index by account. */
async function updateCopies({ database }: World): Promise<number> {
  const generation = await generationOf(database);
  const rows = database.collection(`${generation}_rows`);
  const heads = database.collection<{ _id: string; set: string }>(`${generation}_heads`);
  const head = await heads.findOne({ _id: RENAMED });
  if (head === null) throw new Error(`Expected a stream ${RENAMED}, got none`);
  const { set } = head;
  const copies: Collection = database.client.db(BARE_DATABASE).collection('copies');
  const into = { db: BARE_DATABASE, coll: copies.collectionName };
  await rows.aggregate([{ $match: { set } }, { $out: into }]).toArray();
  await copies.createIndex({ set: 1, account: 1, place: -1 });
  const renamed = { $replaceOne: { input: '$json', find: 'Account 0', replacement: 'Renamed' } };
  const startedAt = performance.now();
  await copies.updateMany({ set, account: 'account-0' }, [{ $set: { json: renamed } }]);
  const seconds = (performance.now() - startedAt) / 1000;
  await copies.drop();
  return seconds;
}
