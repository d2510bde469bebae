// A client that follows /changes holds exactly what the lists of version 1 show (rules/api.md#changes).
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { followHistory } from './sync-scene.ts';

/** `SYNC_SEEDS=1-200` follows other histories than these few. */
const [first = 1, last = 6] = (process.env.SYNC_SEEDS ?? '').split('-').filter(Boolean).map(Number);
/** Most of the time is spent on commits, so some histories are followed at once. */
const AT_ONCE = 3;
const HISTORY_MS_MAX = 600_000;

const mongo = useMongo(test);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);

for (let lane = 0; lane < AT_ONCE; lane += 1) {
  const own = seeds.filter(seed => seed % AT_ONCE === lane);
  test(`the copy of a client equals the lists at the end of its pages, seeds ${own.join(' ')}`, async t => {
    t.timeout(HISTORY_MS_MAX * own.length);
    for (const seed of own) {
      const followed = await followHistory(t, mongo, seed);
      t.log(`seed ${seed}: ${JSON.stringify(followed)}`);
    }
    t.pass();
  });
}
