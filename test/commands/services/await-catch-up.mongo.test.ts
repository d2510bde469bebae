// `npm start` waits until the read model has caught up, and reports the reason while no generation is active.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoNetworkError } from 'mongodb';
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { awaitCatchUp } from '../../../src/commands/services/await-catch-up.ts';
import { createLogger } from '../../../src/process/log.ts';
import { generationCollections, type StoredCheckpoint } from '../../../src/store/collections.ts';
import { switched, withFailure, withNew, withState } from '../../../src/store/generation-plan.ts';
import { changeRegistry } from '../../../src/store/registry.ts';
import { pauseGeneration, TooManyParkedError } from '../../../src/store/writing/parking-alarm.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { CREATED, eventMaker } from '../../projections/story.ts';
import { stubLog } from '../../projector/log-in-memory.ts';
import { createPartitionScene } from '../../projector/partition-scene.ts';

const mongo = useMongo(test);

test('a start does not wait for a generation that needs an operator, and reports the reason', async t => {
  const db = mongo.database('caught_up');
  const { eventLog, store } = await createPartitionScene(db);
  eventLog.add(eventMaker('budget-1')(CREATED));
  const now = new Date();
  await changeRegistry(db, read => switched(withNew(read, PROJECTIONS_VERSION, now), 'g1', now));
  await pauseGeneration(store.collections, new TooManyParkedError('32 of 67', [], 0));
  const printed: string[] = [];
  const context = {
    print: (line: string) => printed.push(line),
    isTerminal: false,
    stopping: new AbortController(),
    logger: createLogger('silent'),
  };
  const connection = {
    client: mongo.client,
    readModel: db,
    database: () => db,
    close: async () => {},
  };
  t.is(await awaitCatchUp(context, connection, eventLog), null);
  t.true(printed.some(line => line.startsWith('g1 is paused: 32 of 67; ')));
});

test('a start outlasts a database that is away', async t => {
  const db = mongo.database('caught_up');
  const now = new Date();
  await changeRegistry(db, read => switched(withNew(read, PROJECTIONS_VERSION, now), 'g1', now));
  let failures = 0;
  const away = new Proxy(db, {
    get(target, key) {
      if (key === 'collection' && failures < 3) {
        failures += 1;
        throw new MongoNetworkError('away');
      }
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const context = {
    print() {},
    isTerminal: false,
    stopping: new AbortController(),
    logger: createLogger('silent'),
  };
  const { client } = mongo;
  const connection = { client, readModel: away, database: () => db, close: async () => {} };
  t.is(await awaitCatchUp(context, connection, stubLog()), null);
  t.is(failures, 3);
});

test('a start does not wait for what is appended meanwhile', async t => {
  const db = mongo.database('caught_up');
  const { client } = mongo;
  const connection = { client, readModel: db, database: () => db, close: async () => {} };
  const now = new Date();
  await changeRegistry(db, read => switched(withNew(read, PROJECTIONS_VERSION, now), 'g1', now));
  const { checkpoints } = generationCollections(db, 'g1');
  const applied = { epoch: 1, fingerprints: [], partitions: 1 } as unknown as StoredCheckpoint;
  await checkpoints.insertOne({ ...applied, _id: 0, next: 7 });
  let end = 8;
  const eventLog = {
    ...stubLog(),
    // As soon as anybody looks there is more, and the projector applies what was there before.
    async bounds() {
      end += 1;
      await checkpoints.updateOne({ _id: 0 }, { $set: { next: end - 1 } });
      return { start: 0, end };
    },
  };
  const context = {
    print() {},
    isTerminal: false,
    stopping: new AbortController(),
    logger: createLogger('silent'),
  };
  t.is(await awaitCatchUp(context, connection, eventLog), null);
  t.true(end < 20);
});

test('a first build that waits or fails reports the reason', async t => {
  const readModel = mongo.database('caught_up');
  const { client } = mongo;
  const connection = { client, readModel, database: () => readModel, close: async () => {} };
  const printed: string[] = [];
  const says = async (line: string) => {
    while (!printed.includes(line)) await sleep(20);
  };
  const now = new Date();
  await changeRegistry(readModel, read =>
    withState(withNew(read, PROJECTIONS_VERSION, now), 'g1', { waitsFor: 'The test' }),
  );
  const context = {
    print: (line: string) => printed.push(line),
    isTerminal: false,
    stopping: new AbortController(),
    logger: createLogger('silent'),
  };
  const done = awaitCatchUp(context, connection, stubLog());
  await says('g1 is not switched to: The test');
  await changeRegistry(readModel, read => withFailure(read, 'g1', { reason: 'Another test', now }));
  await says('Generation g1 failed: Another test');
  await changeRegistry(readModel, read => switched(read, 'g1', now));
  t.is(await done, null);
  t.is(printed.filter(line => line.includes('The test')).length, 1);
});
