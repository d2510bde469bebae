// `parked list|retry|skip` with other generations buildBeside the active one.
import type { ParkedGeneration } from '../../src/commands/opening/parked-generations.ts';
import { UserError } from '../../src/process/errors.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED } from '../projections/story.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { createPartitionScene, type PartitionScene } from '../projector/partition-scene.ts';
import { dump } from '../projector/test-store.ts';
import { answering, BAD, printedBy, story, VERSION, WITH_GAP } from './parked-scene.ts';

const mongo = useMongo(test);

async function parkedScene(...events: readonly object[]): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('parked'));
  await scene.tell(...events);
  return scene;
}

/** Returns a building generation buildBeside the active one; its log may contain other events. */
async function buildBeside(scene: PartitionScene, ...events: readonly object[]) {
  const eventLog = stubLog();
  const other = await createPartitionScene(scene.db, { generation: 'g2', eventLog });
  await other.tell(...events);
  const { store } = other;
  const building: ParkedGeneration = { id: 'g2', version: VERSION, answers: false, store };
  return { other, building };
}

test('a stream that only the building generation holds is listed, and mended there', async t => {
  const scene = await parkedScene(...BAD.slice(0, 2));
  const { other, building } = await buildBeside(scene, ...BAD.slice(0, 4));
  const both = [answering(scene), building];
  const [listed, ...more] = await printedBy(['list'], ...both);
  t.regex(listed ?? '', /^g2: budget-1 is held after sequence 2 /);
  t.deepEqual(more, []);
  const [json = ''] = await printedBy(['list', '--json'], ...both);
  t.like(JSON.parse(json).streams, [{ generation: 'g2', stream: 'budget-1', sequence: 2 }]);
  const [retried] = await printedBy(['retry', 'budget-1'], ...both);
  t.regex(retried ?? '', /^g2: budget-1 is held after sequence 2 /);
  const before = await dump(scene.store);
  t.deepEqual(await printedBy(['skip', 'budget-1'], ...both), [
    'g2: budget-1 goes on at sequence 4',
  ]);
  t.like(await other.head('budget-1'), { sequence: 4, held: null });
  t.deepEqual(await dump(scene.store), before);
  for (const action of ['retry', 'skip']) {
    await t.throwsAsync(printedBy([action, 'budget-1'], ...both), {
      instanceOf: UserError,
      message: 'Stream budget-1 is not held',
    });
  }
});

test('a skip is one decision for all generations, and a stream held by something else stays held', async t => {
  const scene = await parkedScene(...BAD.slice(0, 4));
  const [bad, ...rest] = story('budget-1', payee('z'), ...['a', 'a', 'b'].map(id => payee(id)));
  const { other, building } = await buildBeside(scene, { ...bad, type: 7 }, ...rest);
  t.like(await other.head('budget-1'), { sequence: 0 });
  const [first, second] = await printedBy(['skip', 'budget-1'], answering(scene), building);
  t.is(first, 'budget-1 goes on at sequence 4');
  t.regex(second ?? '', /^g2: budget-1 is held after sequence 0 /);
  t.is(await scene.db.collection('decisions').countDocuments(), 1);
});

test('a refusal by one generation does not keep another from being mended', async t => {
  const scene = await parkedScene(...WITH_GAP);
  const { building } = await buildBeside(
    scene,
    ...story('budget-2', CREATED, payee('a'), payee('a')),
  );
  t.deepEqual(await printedBy(['skip', 'budget-2'], answering(scene), building), [
    'g2: budget-2 goes on at sequence 3',
    'Stream budget-2 waits for sequence 2: append it, or give it up with --missing',
  ]);
});

test('rules/projecting.md#decisions-of-operators: a decision does not touch generations of another version', async t => {
  const scene = await parkedScene(...BAD.slice(0, 4));
  const before = await dump(scene.store);
  const old = answering(scene, VERSION - 1);
  const message =
    'Generation g1 is of version 1 of the projections, this program of version 2: use the command of the release that made it';
  const refused = (args: string[], ...generations: ParkedGeneration[]) =>
    t.throwsAsync(printedBy(args, ...generations), { instanceOf: UserError, message });
  await refused(['retry', 'budget-1'], old);
  await refused(['skip', 'budget-1'], old);
  await refused(['skip', 'nobody'], old);
  const { other, building } = await buildBeside(scene, ...BAD.slice(0, 2));
  await refused(['skip', 'budget-1'], old, building);
  t.is(await scene.db.collection('decisions').countDocuments(), 0);
  await other.tell(...BAD.slice(2, 4));
  t.deepEqual(await printedBy(['skip', 'budget-1'], old, building), [
    'g2: budget-1 goes on at sequence 4',
    `budget-1 stays as it is in g1. ${message}`,
  ]);
  t.deepEqual(await dump(scene.store), before);
  t.is(await scene.db.collection('decisions').countDocuments(), 1);
  t.is((await printedBy(['list'], old, building)).length, 1);
});
