// A client that follows /changes holds exactly what the lists of version 1 show (additions.md, section 3).
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { followHistory } from './sync-scene.ts';

/** `SYNC_SEEDS=1-200` follows other histories than these few. */
const [first = 1, last = 5] = (process.env.SYNC_SEEDS ?? '').split('-').filter(Boolean).map(Number);

const mongo = useMongo(test);

for (let seed = first; seed <= last; seed += 1) {
  test.serial(
    `the copy of a client equals the lists at the end of its pages, seed ${seed}`,
    async t => {
      t.timeout(180_000);
      const followed = await followHistory(t, mongo, seed);
      t.log(JSON.stringify(followed));
      t.true(followed.compared > 0);
    },
  );
}
