// A switch under load: the active generation is held for a moment, so that a build that is always a little behind reaches it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { requestBuild, rollBack } from '../../src/generations/operate.ts';
import { whileHeld } from '../../src/store/writing/switch-hold.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { supervised } from './supervised.ts';

const mongo = useMongo(test);
const MAX_TIME_EXPIRED = 50;

/** A log that a generation gets later than others. */
function lateFor(group: string, eventLog: EventLog, ms: number): EventLog {
  return {
    ...eventLog,
    subscribe(subscriber, options) {
      const batch: typeof subscriber.batch = async given => {
        if (options.group === group) await sleep(ms);
        return await subscriber.batch(given);
      };
      return eventLog.subscribe(
        {
          batch,
          assigned: (...given) => subscriber.assigned(...given),
          revoked: partition => subscriber.revoked(partition),
        },
        options,
      );
    },
  };
}

/** Runs work while every partition moves, and returns what it returns. */
async function underLoad<T>(
  { append }: Pick<Awaited<ReturnType<typeof supervised>>, 'append'>,
  work: () => Promise<T>,
): Promise<T> {
  const makers = ['budget-1', 'budget-2', 'budget-3'].map(subject => eventMaker(subject));
  await append(makers.map(make => make(CREATED)));
  let isOver = false;
  const appending = (async () => {
    for (let number = 0; !isOver; number += 1) {
      await append(makers.map(make => make(payee(`p-${number}`))));
      await sleep(20);
    }
  })();
  const result = await work();
  isOver = true;
  await appending;
  return result;
}

const HELD = { heldUntil: { $exists: true } };

/** Returns a system in which one generation is always a little behind, and g2 is built beside g1. */
async function building(t: ExecutionContext, late: 'g1' | 'g2') {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  system.deploy(1, { eventLog: lateFor(late, system.eventLog, 300) });
  await system.until(({ active }) => active === 'g1');
  await requestBuild(system.readModel, 1);
  return system;
}

test('a build that is always a little behind is switched to', async t => {
  const system = await building(t, 'g2');
  await underLoad(system, () => system.until(({ active }) => active === 'g2'));
  t.is(await system.collectionsOf('g1').checkpoints.countDocuments(HELD), 0);
});

test('a former generation that is always a little behind is rolled back to', async t => {
  const system = await building(t, 'g1');
  await system.until(({ active }) => active === 'g2');
  const { to } = await underLoad(system, () => rollBack(system.readModel));
  t.is(to.id, 'g1');
  t.is(await system.collectionsOf('g2').checkpoints.countDocuments(HELD), 0);
});

test('a hold that one partition does not let begin is no hold of the others', async t => {
  const scene = await createPartitionScene(mongo.database('no_hold'));
  const { checkpoints } = scene.store.collections;
  await scene.tell(eventMaker('budget-1')(CREATED));
  const [checkpoint] = await checkpoints.find().toArray();
  if (!checkpoint) throw new Error('Expected a checkpoint, got none');
  await checkpoints.insertMany([101, 102].map(_id => ({ ...checkpoint, _id })));
  await scene.db.client.withSession(async session => {
    session.startTransaction();
    await checkpoints.updateOne({ _id: 101 }, { $inc: { switches: 1 } }, { session });
    const worked = whileHeld(checkpoints, async () => t.fail('Expected no work'));
    await t.throwsAsync(worked, { code: MAX_TIME_EXPIRED });
    await session.abortTransaction();
  });
  t.is(await checkpoints.countDocuments(HELD), 0);
});

test('a chunk waits until a switch that holds its partition ends', async t => {
  const scene = await createPartitionScene(mongo.database('hold'));
  const make = eventMaker('budget-1');
  await scene.tell(make(CREATED));
  const order: string[] = [];
  let applying: Promise<unknown> | null = null;
  await whileHeld(scene.store.collections.checkpoints, async () => {
    applying = scene.tell(make(payee('a'))).then(() => order.push('applied'));
    await sleep(500);
    order.push('released');
  });
  await applying;
  t.deepEqual(order, ['released', 'applied']);
  t.is((await scene.head('budget-1'))?.sequence, 2);
});

for (const [name, addedMs] of [
  ['whose process was killed', 400],
  ['from before the clock was set back', 3_600_000],
] as const) {
  test(`a hold ${name} ends by itself`, async t => {
    const scene = await createPartitionScene(mongo.database('ended_hold'));
    const { checkpoints } = scene.store.collections;
    const make = eventMaker('budget-1');
    await scene.tell(make(CREATED));
    await checkpoints.updateOne({}, [{ $set: { heldUntil: { $add: ['$$NOW', addedMs] } } }]);
    await scene.tell(make(payee('a')));
    t.is((await scene.head('budget-1'))?.sequence, 2);
  });
}
