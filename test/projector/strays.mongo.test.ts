// Records that lie in another partition than their stream: a rebuild may read them before the stream's own.
import test from 'ava';
import type { LogRecord } from '../../src/event-log/event-log.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene, PARTITION } from './partition-scene.ts';

const mongo = useMongo(test);

const ELSEWHERE = PARTITION + 1;

/** Records in the order in which a projector reads them. */
function records(...read: readonly (readonly [number, LogEvent])[]): LogRecord[] {
  return read.map(([partition, event], offset) => {
    const value = Buffer.from(JSON.stringify(event));
    return { partition, offset, key: event.subject, value };
  });
}

test('copies of events in another partition, read before the stream begins, stand for none of its events', async t => {
  const scene = await createPartitionScene(mongo.database('strays'));
  const told = eventMaker('budget-1');
  const [created, shop, cafe] = [told(CREATED), told(payee('shop')), told(payee('cafe'))];
  const bad = told(CREATED);
  const late = told(payee('late'));
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

test('strays that no event of the stream comes near leave its queue too', async t => {
  const scene = await createPartitionScene(mongo.database('far_strays'));
  const told = eventMaker('budget-1');
  const far = told(payee('far'), { sequence: 9000 });
  const own = [told(CREATED, { sequence: 1 }), told(payee('shop'))] as const;
  const given = records([ELSEWHERE, far], [PARTITION, own[0]], [PARTITION, own[1]]);
  await scene.apply(await scene.claim(), given);
  t.like(await scene.head('budget-1'), { partition: PARTITION, sequence: 2, held: null });
  t.deepEqual(await scene.queue('budget-1'), []);
  t.is(await scene.store.collections.quarantine.countDocuments(), 1);
});
