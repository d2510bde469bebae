// A switch under load: the active generation is held for a moment, so that a build that is always a little behind reaches it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { requestBuild } from '../../src/generations/operate.ts';
import { HOLD_MS, whileHeld } from '../../src/store/writing/switch-hold.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { supervised } from './supervised.ts';

const mongo = useMongo(test);

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

test('a build that is always a little behind is switched to', async t => {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  const makers = ['budget-1', 'budget-2', 'budget-3'].map(subject => eventMaker(subject));
  await system.append(makers.map(make => make(CREATED)));
  system.deploy(1, { eventLog: lateFor('g2', system.eventLog, 300) });
  await system.until(({ active }) => active === 'g1');
  await requestBuild(system.readModel, 1);
  let isOver = false;
  const appending = (async () => {
    for (let number = 0; !isOver; number += 1) {
      await system.append(makers.map(make => make(payee(`p-${number}`))));
      await sleep(20);
    }
  })();
  await system.until(({ active }) => active === 'g2');
  isOver = true;
  await appending;
  const held = { heldUntil: { $exists: true } };
  t.is(await system.collectionsOf('g1').checkpoints.countDocuments(held), 0);
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
  ['from before the clock was set back', 10 * HOLD_MS],
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
