// Records in another partition than their stream; a rebuild may read them before the stream's own.
import test from 'ava';
import type { LogRecord } from '../../src/event-log/event-log.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene, PARTITION } from './partition-scene.ts';

const mongo = useMongo(test);

const ELSEWHERE = PARTITION + 1;

/** Returns records in the order in which a projector reads them. */
function records(...read: readonly (readonly [number, LogEvent])[]): LogRecord[] {
  return read.map(([partition, event], offset) => {
    const value = Buffer.from(JSON.stringify(event));
    return { partition, offset, key: event.subject, value };
  });
}

test('copies of events in another partition, read before the stream begins, replace none of its events', async t => {
  const scene = await createPartitionScene(mongo.database('strays'));
  const eventOf = eventMaker('budget-1');
  const [created, shop, cafe] = [eventOf(CREATED), eventOf(payee('shop')), eventOf(payee('cafe'))];
  const bad = eventOf(CREATED);
  const late = eventOf(payee('late'));
  const strays = [shop, late].map(event => [ELSEWHERE, event] as const);
  const own = [created, shop, cafe, bad, late].map(event => [PARTITION, event] as const);
  await scene.apply(await scene.claim(), records(...strays, ...own));
  t.like(await scene.head('budget-1'), {
    partition: PARTITION,
    sequence: 3,
    held: { why: 'parked', queued: 2 },
  });
  t.deepEqual(await scene.queue('budget-1'), [4, 5]);
  const { quarantine } = scene.store.collections;
  t.deepEqual((await quarantine.distinct('_id')).sort(), [`${ELSEWHERE}/0`, `${ELSEWHERE}/1`]);
});

test('strays with far higher sequences leave the queue too', async t => {
  const scene = await createPartitionScene(mongo.database('far_strays'));
  const eventOf = eventMaker('budget-1');
  const far = eventOf(payee('far'), { sequence: 9000 });
  const own = [eventOf(CREATED, { sequence: 1 }), eventOf(payee('shop'))] as const;
  const given = records([ELSEWHERE, far], [PARTITION, own[0]], [PARTITION, own[1]]);
  await scene.apply(await scene.claim(), given);
  t.like(await scene.head('budget-1'), { partition: PARTITION, sequence: 2, held: null });
  t.deepEqual(await scene.queue('budget-1'), []);
  t.is(await scene.store.collections.quarantine.countDocuments(), 1);
});
