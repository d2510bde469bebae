// What a projector tells operators about a chunk: streams that it parked, types that look wrong, when its first record
// was written.
import type { ChunkTimes } from '../../src/projector/partition/partition-context.ts';
import { readNearTypes } from '../../src/store/near-types.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { committing } from './committing.ts';
import { createPartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a stream that is parked has a line with the trace of its event, once', async t => {
  const scene = await createPartitionScene(mongo.database('lines'));
  const eventOf = eventMaker('budget-1');
  const [created, first] = [eventOf(CREATED), eventOf(payee('a'))];
  const bad = { ...eventOf(payee('a')), traceparent: `00-${TRACE}-${SPAN}-01` };
  await scene.tell(created, first, bad, eventOf(payee('b')), bad);
  await scene.tell(eventOf(payee('c')));
  const lines = scene.lines.filter(({ msg }) => msg.startsWith('Stream parked: '));
  t.is(lines.length, 1);
  t.like(lines[0], {
    ...{ level: 40, stream: 'budget-1', sequence: 3, eventId: 'budget-1.3' },
    ...{ traceId: TRACE, spanId: SPAN },
  });
});

test('a chunk that parks many streams has a bounded number of lines', async t => {
  const scene = await createPartitionScene(mongo.database('lines'));
  const ids = Array.from({ length: 14 }, (_, index) => `budget-${index}`);
  await scene.tell(...ids.map(id => ({ ...eventMaker(id)(CREATED), schemaversion: 9 })), {
    key: 'budget-0',
    raw: 'no JSON',
  });
  const lines = scene.lines.filter(({ msg }) => / parked: /.test(msg));
  t.is(lines.filter(({ msg }) => msg.startsWith('Stream parked: ')).length, 10);
  t.like(lines.at(-1), { more: 4, msg: 'More streams parked: budgeting parked list names them' });
});

test('a chunk says when its first record was written', async t => {
  const scene = await createPartitionScene(mongo.database('lines'));
  const claimed = await scene.claim();
  const eventOf = eventMaker('budget-1');
  scene.eventLog.add(eventOf(CREATED), eventOf(payee('a')));
  const records = scene.eventLog.records.map((record, index) => ({
    ...record,
    timestamp: `2026-03-01T12:00:0${index}.000Z`,
  }));
  const times: ChunkTimes[] = [];
  const metrics = {
    chunkApplied: (_: object, at: ChunkTimes) => void times.push(at),
    partition() {},
  };
  await scene.apply(claimed, records, { context: { ...scene.context, metrics } });
  t.deepEqual(
    times.map(({ writtenAt }) => writtenAt),
    [new Date('2026-03-01T12:00:00.000Z')],
  );
});

test('an unknown type that is nearly a known one is noted once, with its first record', async t => {
  const scene = await createPartitionScene(mongo.database('lines'));
  const eventOf = eventMaker('budget-1');
  const as = (type: string) => ({ ...eventOf(payee('a')), type });
  await scene.tell(eventOf(CREATED), as('Payee.Added'), as('Payee.Added'), as('other.thing'));
  await scene.tell(as('com.example.payee.added'), as('Payee.Added'), as('xpayee.added'));
  t.deepEqual(await readNearTypes(scene.store.collections.nearTypes), [
    { type: 'Payee.Added', known: 'payee.added', partition: 0, offset: 1 },
    { type: 'com.example.payee.added', known: 'payee.added', partition: 0, offset: 4 },
  ]);
  t.like(await scene.head('budget-1'), { sequence: 7, held: null });
});

test('a type is noted also where the process is killed right after the commit', async t => {
  const scene = await createPartitionScene(mongo.database('lines'));
  const claimed = await scene.claim();
  const eventOf = eventMaker('budget-1');
  scene.eventLog.add(eventOf(CREATED), { ...eventOf(payee('a')), type: 'Payee.Added' });
  await new Promise<void>(resolve => {
    const store = committing(scene.store, async (_, pass) => {
      await pass();
      resolve();
      // Nothing follows in a process that is no more.
      await new Promise(() => {});
    });
    void scene.apply(claimed, scene.eventLog.records, { context: { ...scene.context, store } });
  });
  t.deepEqual(await readNearTypes(scene.store.collections.nearTypes), [
    { type: 'Payee.Added', known: 'payee.added', partition: 0, offset: 1 },
  ]);
});

test('no more than 50 such types are stored', async t => {
  const scene = await createPartitionScene(mongo.database('lines'));
  const eventOf = eventMaker('budget-1');
  const types = Array.from({ length: 60 }, (_, index) => ({
    ...eventOf(payee('a')),
    type: `v${index}.payee.added`,
  }));
  await scene.tell(...types);
  await scene.tell({ ...eventOf(payee('a')), type: 'v99.payee.added' });
  t.is((await readNearTypes(scene.store.collections.nearTypes)).length, 50);
});
