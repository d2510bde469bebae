// `parked list|retry|skip`: what operators see of held streams and do about them (rules/projecting.md#parked).
import type { ExecutionContext } from 'ava';
import { UserError } from '../../src/process/errors.ts';
import { renewLease } from '../../src/store/shadow-sets.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee, timeOf } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene, type PartitionScene } from '../projector/partition-scene.ts';
import { dump } from '../projector/test-store.ts';
import { answering, BAD, MISSING, NOW, printedBy, story, WITH_GAP } from './parked-scene.ts';

const mongo = useMongo(test);

interface ParkedScene extends PartitionScene {
  parked(...args: string[]): Promise<string[]>;
}

async function parkedScene(...events: readonly object[]): Promise<ParkedScene> {
  const scene = await createPartitionScene(mongo.database('parked'));
  if (events.length > 0) await scene.tell(...events);
  return { ...scene, parked: (...args) => printedBy(args, answering(scene)) };
}

/** Rebuilds another generation from the whole log, with the stored decisions; returns its documents. */
async function rebuilt(scene: PartitionScene): Promise<string[]> {
  const { db, eventLog } = scene;
  const fresh = await createPartitionScene(db, { generation: 'g2', eventLog });
  await fresh.project();
  return dump(fresh.store);
}

async function sameWhenRebuilt(t: ExecutionContext, scene: PartitionScene): Promise<void> {
  t.deepEqual(await rebuilt(scene), await dump(scene.store));
}

const payeesOf = async ({ store }: PartitionScene) =>
  (await store.collections.payees.find().sort({ _id: 1 }).toArray()).map(({ id }) => id);

test('parked list prints why, since when, how many events wait, and the command that mends it', async t => {
  const { parked } = await parkedScene(...BAD, ...WITH_GAP);
  t.deepEqual(await parked('list'), [
    `budget-1 is held after sequence 2 since ${timeOf(3)} (parked): The payee a is there already; event budget-1.3 (sequence 3, partition 0, offset 2); 4 events wait; budgeting parked retry budget-1, or budgeting parked skip --event=budget-1.3 budget-1`,
    `budget-2 is held after sequence 1 since ${timeOf(3)} (gap): Expected sequence 2, got 3; before event budget-2.3 (sequence 3, partition 0, offset 7); 2 events wait; append what is missing, or budgeting parked skip --missing budget-2`,
  ]);
});

test('parked list protects an id that begins like an option, and offers no command for a big change', async t => {
  const { parked, store, context } = await parkedScene(
    ...story('-b', CREATED, payee('a'), payee('a')),
  );
  const [line = ''] = await parked('list');
  t.true(
    line.endsWith('; budgeting parked retry -- -b, or budgeting parked skip --event=-b.3 -- -b'),
    line,
  );
  t.regex((await parked('retry', '--', '-b'))[0] ?? '', /^-b is held after sequence 2 /);
  context.shadowSets.released(0);
  await store.collections.heads.updateMany({}, { $set: { 'held.why': 'change' } });
  const remedy = async () => ((await parked('list'))[0] ?? '').split('; 1 event waits; ')[1];
  t.is(await remedy(), 'its queue is applied by itself as soon as a projector has its partition');
  const { shadowSets } = store.collections;
  const set = { set: '0-9', owner: 'tests', begun: true, cursor: null, absolute: 0, partition: 0 };
  await shadowSets.insertOne({ _id: '-b', kind: 'event', ...set });
  t.is(await remedy(), 'it goes on by itself when a projector has written the big change');
  await shadowSets.updateOne({ _id: '-b' }, { $set: { kind: 'rebuild' } });
  t.is(
    await remedy(),
    'its rebuild was killed; it goes on by itself as soon as a projector has its partition',
  );
  await renewLease(shadowSets, { subject: '-b', ...set });
  t.is(await remedy(), 'it goes on by itself when its rebuild is done');
});

test('parked list --json prints one object with all held streams', async t => {
  const { parked } = await parkedScene(...BAD, ...WITH_GAP);
  const printed = await parked('list', '--json');
  t.is(printed.length, 1);
  t.deepEqual(JSON.parse(printed[0] ?? ''), {
    streams: [
      {
        generation: 'g1',
        stream: 'budget-1',
        partition: 0,
        sequence: 2,
        since: timeOf(3),
        why: 'parked',
        reason: 'The payee a is there already',
        queued: 4,
        event: { sequence: 3, eventId: 'budget-1.3', partition: 0, offset: 2 },
        work: null,
      },
      {
        generation: 'g1',
        stream: 'budget-2',
        partition: 0,
        sequence: 1,
        since: timeOf(3),
        why: 'gap',
        reason: 'Expected sequence 2, got 3',
        queued: 2,
        event: { sequence: 3, eventId: 'budget-2.3', partition: 0, offset: 7 },
        work: null,
      },
    ],
    paused: [],
  });
});

test('parked list reports that no stream is held', async t => {
  const { parked } = await parkedScene(...BAD.slice(0, 2));
  t.deepEqual(await parked('list'), ['No stream is held']);
  t.deepEqual(await parked('list', '--json'), ['{"streams":[],"paused":[]}']);
});

test('parked retry changes nothing while the event is still invalid', async t => {
  const scene = await parkedScene(...BAD);
  const before = await dump(scene.store);
  const [line, ...more] = await scene.parked('retry', 'budget-1');
  t.regex(line ?? '', /^budget-1 is held after sequence 2 .*; 4 events wait; /);
  t.deepEqual(more, []);
  t.deepEqual(await dump(scene.store), before);
});

test('parked skip drops the event and continues to the next invalid one, and a rebuild repeats it', async t => {
  const scene = await parkedScene(...BAD);
  const [line] = await scene.parked('skip', 'budget-1');
  t.is(
    line,
    `budget-1 is held after sequence 4 since ${timeOf(5)} (parked): The payee b is there already; event budget-1.5 (sequence 5, partition 0, offset 4); 2 events wait; budgeting parked retry budget-1, or budgeting parked skip --event=budget-1.5 budget-1`,
  );
  t.deepEqual(await payeesOf(scene), ['a', 'b']);
  t.deepEqual(await scene.parked('skip', 'budget-1'), ['budget-1 goes on at sequence 6']);
  t.deepEqual(await payeesOf(scene), ['a', 'b', 'c']);
  t.deepEqual(await scene.queue('budget-1'), []);
  await sameWhenRebuilt(t, scene);
  // The stream continues without a command.
  await scene.tell(eventMaker('budget-1')(payee('d'), { sequence: 7 }));
  t.like(await scene.head('budget-1'), { sequence: 7, held: null });
  const decisions = await scene.db.collection('decisions').find().sort({ _id: 1 }).toArray();
  t.deepEqual(decisions as object[], [
    {
      _id: 'budget-1/3/budget-1.3',
      subject: 'budget-1',
      sequence: 3,
      eventId: 'budget-1.3',
      decidedAt: NOW,
    },
    {
      _id: 'budget-1/5/budget-1.5',
      subject: 'budget-1',
      sequence: 5,
      eventId: 'budget-1.5',
      decidedAt: NOW,
    },
  ]);
});

test('parked skip --missing counts the missing sequences as applied, and a rebuild repeats it', async t => {
  const scene = await parkedScene(...WITH_GAP);
  t.deepEqual(await scene.parked('skip', 'budget-2', '--missing'), [
    'budget-2 goes on at sequence 4',
  ]);
  t.deepEqual(await payeesOf(scene), ['b', 'c']);
  // A later event with such a sequence is a duplicate.
  await scene.tell(MISSING ?? {});
  t.like(await scene.head('budget-2'), { sequence: 4, held: null });
  t.deepEqual(await payeesOf(scene), ['b', 'c']);
  await sameWhenRebuilt(t, scene);
});

test('parked skip --missing gives up all sequences before the first event that waits, and no others', async t => {
  const events = story('budget-1', CREATED, ...['a', 'b', 'c', 'd', 'e', 'f'].map(id => payee(id)));
  const scene = await parkedScene(events[0] ?? {}, events[4] ?? {}, events[6] ?? {});
  const [line] = await scene.parked('skip', 'budget-1', '--missing');
  t.regex(line ?? '', /^budget-1 is held after sequence 5 .* \(gap\): Expected sequence 6, got 7/);
  t.is(await scene.db.collection('decisions').countDocuments(), 3);
  await scene.tell(events[5] ?? {});
  t.like(await scene.head('budget-1'), { sequence: 7, held: null });
  t.deepEqual(await payeesOf(scene), ['d', 'e', 'f']);
  await sameWhenRebuilt(t, scene);
});

test('parked skip --missing stops at an invalid event behind the gap, and the next skip drops it', async t => {
  const events = story('budget-1', CREATED, payee('a'), payee('a'), payee('b'));
  const scene = await parkedScene(
    events[0] ?? {},
    { ...events[2], schemaversion: 2 },
    events[3] ?? {},
  );
  const [line] = await scene.parked('skip', 'budget-1', '--missing');
  t.regex(
    line ?? '',
    /^budget-1 is held after sequence 2 .* \(parked\): Expected a known schemaversion/,
  );
  await sameWhenRebuilt(t, scene);
  t.deepEqual(await scene.parked('skip', 'budget-1'), ['budget-1 goes on at sequence 4']);
  t.deepEqual(await payeesOf(scene), ['b']);
  t.is((await scene.head('budget-1'))?.eventId, 'budget-1.4');
});

test('parked skip drops a conflict and a record without a sequence, and a rebuild repeats it', async t => {
  const conflict = eventMaker('budget-1')(payee('z'), { sequence: 2, id: 'another' });
  const scene = await parkedScene(
    ...BAD.slice(0, 2),
    conflict,
    { key: 'budget-1', raw: '{"sequence"' },
    ...story('budget-1', CREATED, payee('a'), payee('y')).slice(2),
  );
  t.deepEqual(await scene.queue('budget-1'), [0, 2, 3]);
  const [line] = await scene.parked('skip', 'budget-1');
  t.regex(line ?? '', /\(parked\): Expected an event as JSON in UTF-8, .*; 2 events/);
  t.deepEqual(await scene.parked('skip', 'budget-1'), ['budget-1 goes on at sequence 3']);
  t.deepEqual(await payeesOf(scene), ['a', 'y']);
  await sameWhenRebuilt(t, scene);
});

test('a skip of the wrong kind is refused, and no decision is stored', async t => {
  const { parked, db } = await parkedScene(...BAD, ...WITH_GAP);
  const refused = (message: string, ...args: string[]) =>
    t.throwsAsync(parked(...args), { instanceOf: UserError, message });
  await refused(
    'Stream budget-1 misses no sequence: skip without --missing',
    ...['skip', 'budget-1', '--missing'],
  );
  await refused(
    'Stream budget-2 waits for sequence 2: append it, or give it up with --missing',
    ...['skip', 'budget-2'],
  );
  t.is(await db.collection('decisions').countDocuments(), 0);
});

test('a gap is named with all its sequences, and one of too many is not given up at once', async t => {
  const far = eventMaker('budget-1')(payee('far'), { sequence: 1002 });
  const scene = await parkedScene(far);
  const refused = (message: string, ...args: string[]) =>
    t.throwsAsync(scene.parked(...args), { instanceOf: UserError, message });
  await refused(
    'Stream budget-1 waits for sequence 1 to 1001: append it, or give it up with --missing',
    ...['skip', 'budget-1'],
  );
  await refused(
    'Expected at most 1000 missing sequences, got 1001',
    ...['skip', 'budget-1', '--missing'],
  );
  t.is(await scene.db.collection('decisions').countDocuments(), 0);
});

test('streams that are unknown or not held, and bad arguments, are refused', async t => {
  const { parked } = await parkedScene(...BAD.slice(0, 2));
  const cases: [string[], RegExp][] = [
    [['retry', 'budget-1'], /^Stream budget-1 is not held$/],
    [['skip', 'budget-1'], /^Stream budget-1 is not held$/],
    [['retry', 'nobody'], /^Unknown stream nobody$/],
    [['skip', 'nobody', '--missing'], /^Unknown stream nobody$/],
    [['retry'], /^Expected one STREAM, got 0\nUsage:\n/],
    [['skip', 'a', 'b'], /^Expected one STREAM, got 2\nUsage:\n/],
    [['retry', 'a', '--missing'], /--missing/],
    [['list', '--all'], /--all/],
    [['list', 'budget-1'], /^Expected no argument, got 1\n/],
    [['resume', 'budget-1'], /^Expected no argument, got 1\n/],
    [['drop'], /^Expected parked list, retry, skip or resume, got drop\nUsage:\n/],
    [[], /^Expected parked list, retry, skip or resume, got nothing\nUsage:\n/],
  ];
  for (const [args, message] of cases) {
    await t.throwsAsync(parked(...args), { instanceOf: UserError, message }, args.join(' '));
  }
});

test('simultaneous commands of operators do not disturb each other', async t => {
  const events = story(
    'budget-1',
    CREATED,
    payee('a'),
    payee('a'),
    ...['b', 'c', 'd'].map(id => payee(id)),
  );
  const scene = await parkedScene(...events);
  const { collections, decisions } = scene.store;
  const acts = Array.from({ length: 6 }, async () => {
    const session = openCommitSession(mongo.client, collections);
    const store = { collections, decisions, session };
    await printedBy(['skip', 'budget-1'], answering({ store })).catch(error => {
      // A late command may find nothing to skip, or another one at work; no other error may occur.
      if (!(error instanceof UserError)) throw error;
      t.regex(error.message, /^Stream budget-1 is (not held$|held for work )/);
    });
  });
  await t.notThrowsAsync(Promise.all(acts));
  t.like(await scene.head('budget-1'), { sequence: 6, held: null });
  t.deepEqual(await scene.queue('budget-1'), []);
  t.deepEqual(await payeesOf(scene), ['a', 'b', 'c', 'd']);
  await sameWhenRebuilt(t, scene);
});
