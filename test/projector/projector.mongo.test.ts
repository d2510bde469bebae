// The projector as a whole: it stops on request, even while the database is away, and ends by itself after errors that
// no retry can fix.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SubscribeOptions, Subscriber } from '../../src/event-log/event-log.ts';
import { runProjector } from '../../src/projector/projector.ts';
import { FencedError } from '../../src/store/database-errors.ts';
import { test } from '../helpers/file-test.ts';
import { memoryLog } from '../http/memory-log.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { type StubLog, stubLog } from './log-in-memory.ts';
import { openTestStore, storeOpener } from './test-store.ts';

const mongo = useFailingMongo(test);

const serially = test.serial;

interface Run {
  readonly store: Awaited<ReturnType<typeof openTestStore>>;
  readonly lines: ReturnType<typeof memoryLog>['lines'];
  readonly eventLog: StubLog;
  readonly stopping: AbortController;
  /** Subscribes with `drive` in place of the log; the projector runs until it returns. */
  run(drive: (subscriber: Subscriber, signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Passes one batch of all records from an offset on. */
  batch(subscriber: Subscriber, from: number): ReturnType<Subscriber['batch']>;
}

async function createRun(): Promise<Run> {
  const store = await openTestStore(mongo.harmed.db(mongo.database('projector').databaseName));
  const openStore = storeOpener(store);
  const eventLog = stubLog();
  const { logger, lines } = memoryLog();
  const stopping = new AbortController();
  return {
    store,
    lines,
    eventLog,
    stopping,
    run(drive) {
      const subscribed = {
        ...eventLog,
        subscribe: (subscriber: Subscriber, { signal }: SubscribeOptions) =>
          drive(subscriber, signal),
      };
      return runProjector({ openStore, eventLog: subscribed, group: 'g', logger }, stopping.signal);
    },
    batch(subscriber, from) {
      const [records, to] = [eventLog.records.slice(from), eventLog.records.length];
      return subscriber.batch({
        partition: 0,
        from,
        to,
        records,
        bounds: { start: 0, end: to },
        heartbeat: quiet,
        signal: stopping.signal,
      });
    },
  };
}

const quiet = async () => {};

serially(
  'batches are applied from the claimed offset on, and a released partition continues there',
  async t => {
    const { run, eventLog, batch, store } = await createRun();
    const eventOf = eventMaker('budget-1');
    eventLog.add(eventOf(CREATED), eventOf(payee('a')));
    await run(async subscriber => {
      t.is(await subscriber.assigned(0, quiet), 0);
      t.is(await batch(subscriber, 0), 2);
      await subscriber.revoked(0);
      eventLog.add(eventOf(payee('b')));
      t.is(await subscriber.assigned(0, quiet), 2);
      t.is(await batch(subscriber, 2), 3);
    });
    t.is(await store.collections.payees.countDocuments(), 2);
    t.like(await store.collections.checkpoints.findOne({ _id: 0 }), { next: 3, epoch: 2 });
  },
);

serially('a batch of a partition that is not claimed is refused', async t => {
  const { run, eventLog, batch, store } = await createRun();
  eventLog.add(eventMaker('budget-1')(CREATED));
  await t.throwsAsync(
    run(async subscriber => {
      await batch(subscriber, 0);
    }),
    { instanceOf: FencedError, message: 'Partition 0 is not claimed by this process' },
  );
  t.is(await store.collections.heads.countDocuments(), 0);
});

serially('an error that no retry can fix ends the projector', async t => {
  const { run, eventLog, batch, store } = await createRun();
  eventLog.add(eventMaker('budget-1')(CREATED));
  const { db, collectionName: collMod } = store.collections.heads;
  await db.command({ collMod, validator: { nobody: 'passes' } });
  await t.throwsAsync(
    run(async subscriber => {
      await subscriber.assigned(0, quiet);
      await batch(subscriber, 0);
    }),
    { message: 'Document failed validation' },
  );
});

serially(
  'a projector that is asked to stop while the database is away stops without an error',
  async t => {
    const { run, eventLog, batch, lines, stopping, store } = await createRun();
    eventLog.add(eventMaker('budget-1')(CREATED));
    const running = run(async subscriber => {
      await subscriber.assigned(0, quiet);
      await mongo.fail(1_000_000, ['update', 'insert', 'commitTransaction'], { errorCode: 10107 });
      await batch(subscriber, 0);
    });
    while (!lines.some(({ retryInMs }) => retryInMs)) await sleep(10);
    const start = Date.now();
    stopping.abort();
    await t.notThrowsAsync(running);
    t.true(Date.now() - start < 30_000);
    await mongo.heal();
    t.is(await store.collections.heads.countDocuments(), 0);
  },
);

serially('a projector waits for a database that comes back', async t => {
  const { run, eventLog, batch, lines, store } = await createRun();
  const isReported = () =>
    lines.some(
      ({ retryInMs, msg }) =>
        retryInMs && /^The database refused an operation \(failure \d+ in a row\)/.test(msg),
    );
  eventLog.add(eventMaker('budget-1')(CREATED));
  await run(async subscriber => {
    await subscriber.assigned(0, quiet);
    await mongo.fail(1_000_000, ['update', 'insert', 'commitTransaction'], { errorCode: 10107 });
    const comeBack = async () => {
      while (!isReported()) await sleep(20);
      await mongo.heal();
    };
    void comeBack();
    t.is(await batch(subscriber, 0), 1);
  });
  t.true(isReported());
  t.is(await store.collections.heads.countDocuments(), 1);
});
