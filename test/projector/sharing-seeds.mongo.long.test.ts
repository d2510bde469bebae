// More random failures while chunks share transactions, in the sizes of production; sharing.mongo.test.ts plays a small one.
import { test } from '../helpers/file-test.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { FULL, failsAtRandom } from './fails-at-random.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
for (const seed of [2, 3]) {
  test.serial(`writes that fail at random leave no trace (seed ${seed})`, t =>
    failsAtRandom(t, mongo, { seed, size: FULL }),
  );
}
