// Events that join the queue of a stream with a gap: they cost the same however long the queue is.
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { differencesIn } from './differences-in.ts';
import { anotherClient, createPartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

const COUNT = 300;

function story(): LogEvent[] {
  const eventOf = eventMaker('budget-1');
  const payees = Array.from({ length: COUNT }, (_, index) => payee(`p${index}`));
  return [CREATED, ...payees].map(draft => eventOf(draft));
}

test('an event that joins a queue and does not fill its gap reads one entry of the queue', async t => {
  const client = await anotherClient(mongo.url);
  t.teardown(() => client.close());
  const scene = await createPartitionScene(mongo.database('gap'), { client });
  const events = story();
  const last = events.pop() as LogEvent;
  await scene.tell(events[0] as LogEvent, ...events.slice(2));
  const claimed = await scene.claim();
  scene.eventLog.add(last);
  let entries = 0;
  // A transaction that waits too long for a lock, as on a busy server, fails and is tried again.
  let failures = 0;
  client.on('commandFailed', () => {
    failures += 1;
  });
  client.on('commandSucceeded', ({ commandName, reply }) => {
    const { cursor } = reply as { cursor?: { ns: string; firstBatch: unknown[] } };
    const isQueue = commandName === 'find' && cursor?.ns.endsWith('_waiting');
    if (isQueue) entries += cursor?.firstBatch.length ?? 0;
  });
  await scene.apply(claimed, scene.eventLog.records.slice(claimed.next));
  t.true(entries >= 1 && entries <= 1 + failures, `${entries} entries, ${failures} failures`);
  t.like(await scene.head('budget-1'), { sequence: 1, held: { why: 'gap', queued: COUNT - 1 } });
  t.deepEqual(await differencesIn(scene), []);
  scene.eventLog.add(story()[1] as LogEvent);
  await scene.project();
  t.like(await scene.head('budget-1'), { sequence: COUNT + 1, held: null });
});

test('a record that is no event holds the stream at the same sequence, however chunks and drains fall', async t => {
  const events = story().slice(0, 40);
  const [created, second, ...others] = events as [LogEvent, LogEvent, ...LogEvent[]];
  const noise = { subject: 'budget-1', noise: true };
  const log = [created, ...others.slice(0, 20), second, noise, ...others.slice(20)];
  const atOnce = await createPartitionScene(mongo.database('noise'));
  await atOnce.tell(...log);
  const oneByOne = await createPartitionScene(mongo.database('noise'));
  for (const record of log) await oneByOne.tell(record);
  t.like(await atOnce.head('budget-1'), { sequence: 22, held: { why: 'parked', queued: 19 } });
  t.deepEqual(await dump(atOnce.store), await dump(oneByOne.store));
  t.deepEqual(await differencesIn(atOnce), []);
});

test('it does so behind a queue of more events than one step of a drain takes', async t => {
  const scene = await createPartitionScene(mongo.database('noise'));
  const eventOf = eventMaker('budget-1');
  const payees = Array.from({ length: 2100 }, (_, index) => payee(`p${index}`));
  const [created, second, ...others] = [CREATED, ...payees].map(draft => eventOf(draft));
  const late = others.pop() as LogEvent;
  const noise = { subject: 'budget-1', noise: true };
  await scene.tell(created as LogEvent, ...others, second as LogEvent, noise, late);
  t.like(await scene.head('budget-1'), { sequence: 2100, held: { why: 'parked', queued: 2 } });
});
