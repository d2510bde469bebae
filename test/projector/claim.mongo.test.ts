// Checks of the log before anything is applied (rules/projecting.md#check-of-the-log): if one fails, the partition is halted
// with DATA_LOSS that names log, partition and offsets; it never continues over a hole.
import { setTimeout as sleep } from 'node:timers/promises';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { progressOf } from '../../src/projector/catch-up.ts';
import { damageOf, dataLoss, fingerprintOf } from '../../src/projector/log-damage.ts';
import { systemStatus } from '../../src/projector/operate/system-status.ts';
import { takeOver } from '../../src/projector/partition/claim.ts';
import { runProjector } from '../../src/projector/projector.ts';
import { withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { memoryLog } from '../http/memory-log.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { PARTITION } from './log-in-memory.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump, openTestStore, storeOpener } from './test-store.ts';

const mongo = useMongo(test);

function events(subject: string, count: number): { subject: string }[] {
  const eventOf = eventMaker(subject);
  const payees = Array.from({ length: count - 1 }, (_, index) => payee(`payee-${index}`));
  return [CREATED, ...payees].map(draft => eventOf(draft));
}

/** Returns a partition of ten records, six of them applied. */
async function sixOfTen(): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('claim'));
  scene.eventLog.add(...events('budget-1', 10));
  await scene.apply(await scene.claim(), scene.eventLog.records.slice(0, 6));
  return scene;
}

const forged = (scene: PartitionScene, offset: number) => {
  const record = scene.eventLog.records[offset];
  if (record)
    scene.eventLog.records[offset] = { ...record, value: Buffer.from('{"forged": true}') };
};

const HALTED: readonly (readonly [string, (scene: PartitionScene) => void, string])[] = [
  [
    'the log is shorter than the applied part',
    ({ eventLog }) => eventLog.records.splice(5),
    'expected offset 6 next, but the log holds offsets 0 to 4',
  ],
  [
    'the log is empty',
    ({ eventLog }) => eventLog.records.splice(0),
    'expected offset 6 next, but the log holds no record',
  ],
  [
    'the log starts later, no later than the next offset to apply',
    ({ eventLog }) => Object.assign(eventLog, { start: 6 }),
    'expected the log to begin at offset 0, got offset 6',
  ],
  [
    'the log is empty, and ends at the next offset to apply',
    ({ eventLog }) => {
      eventLog.records.splice(6);
      eventLog.start = 6;
    },
    'expected the log to begin at offset 0, got offset 6',
  ],
  [
    'the log starts after the next offset to apply',
    ({ eventLog }) => Object.assign(eventLog, { start: 8 }),
    'expected offset 6 next, but the log holds offsets 8 to 9',
  ],
  [
    'the last applied record is another one now',
    scene => forged(scene, 5),
    'the record at offset 5 is not the one that was applied',
  ],
  [
    'the first record of the log is another one now',
    scene => forged(scene, 0),
    'the record at offset 0 is not the one that was applied',
  ],
  [
    'the last applied record has the same bytes under another key',
    ({ eventLog }) => {
      const record = eventLog.records[5];
      if (record) eventLog.records[5] = { ...record, key: 'budget-2' };
    },
    'the record at offset 5 is not the one that was applied',
  ],
];

for (const [title, damage, message] of HALTED) {
  test(`DATA_LOSS: ${title}`, async t => {
    const scene = await sixOfTen();
    damage(scene);
    const before = await dump(scene.store);
    t.is(await takeOver(scene.context, PARTITION), null);
    const fatal = scene.lines.filter(({ level }) => level === 60);
    t.deepEqual(
      fatal.map(({ msg, partition }) => [msg, partition]),
      [[`DATA_LOSS in the test log, partition 0: ${message}`, 0]],
    );
    t.deepEqual(await dump(scene.store), before);
  });
}

test('DATA_LOSS: the beginning is deleted between the look at the bounds and the look at its first record', async t => {
  const { eventLog, context } = await sixOfTen();
  const { bounds } = eventLog;
  eventLog.bounds = async partition => {
    const read = await bounds(partition);
    eventLog.start = 5;
    return read;
  };
  const checkpoint = await context.store.collections.checkpoints.findOne({ _id: PARTITION });
  t.truthy(checkpoint);
  if (!checkpoint) return;
  t.is(
    await damageOf(eventLog, PARTITION, checkpoint),
    dataLoss(eventLog, PARTITION, 'expected the log to begin at offset 0, got offset 5'),
  );
});

test('the checkpoint stores that a partition is halted, until a claim finds the log intact again', async t => {
  const scene = await sixOfTen();
  const { checkpoints } = scene.store.collections;
  scene.eventLog.start = 6;
  t.is(await takeOver(scene.context, PARTITION), null);
  const halted = (await checkpoints.findOne({ _id: PARTITION }))?.halted;
  const damage = 'expected the log to begin at offset 0, got offset 6';
  t.is(halted?.reason, `DATA_LOSS in the test log, partition 0: ${damage}`);
  t.true(halted?.at instanceof Date);
  scene.eventLog.start = 0;
  t.is((await scene.project()).next, 10);
  t.is((await checkpoints.findOne({ _id: PARTITION }))?.halted, undefined);
  t.like(await scene.head('budget-1'), { sequence: 10, held: null });
});

for (const count of [1, 3]) {
  test(`DATA_LOSS: the log had 2 partitions, and has ${count} now`, async t => {
    const scene = await sixOfTen();
    const { checkpoints } = scene.store.collections;
    await checkpoints.updateOne({ _id: PARTITION }, { $set: { partitions: 2 } });
    scene.eventLog.partitions = async () => count;
    t.is(await takeOver(scene.context, PARTITION), null);
    const message = `DATA_LOSS in the test log, partition 0: expected 2 partitions, got ${count}`;
    t.is(scene.lines.at(-1)?.msg, message);
    if (count === 1) return;
    // A new partition halts too, because the count of partitions is that of the whole generation; of another topic's
    // partitions nothing is left once the mistake is mended.
    t.is(await takeOver(scene.context, 2), null);
    t.is(
      scene.lines.at(-1)?.msg,
      'DATA_LOSS in the test log, partition 2: expected 2 partitions, got 3',
    );
    t.is(await checkpoints.countDocuments(), 1);
    scene.eventLog.partitions = async () => 2;
    t.is((await scene.claim()).next, 6);
  });
}

test('a log that ends at the next offset to apply has lost nothing', async t => {
  const scene = await sixOfTen();
  scene.eventLog.records.splice(6);
  t.is((await scene.claim()).next, 6);
});

test('a fresh generation does not begin in the middle of a log', async t => {
  const scene = await createPartitionScene(mongo.database('claim'));
  scene.eventLog.add(...events('budget-1', 5));
  scene.eventLog.start = 2;
  t.is(await takeOver(scene.context, PARTITION), null);
  t.regex(scene.lines.at(-1)?.msg, /expected offset 0 next, but the log holds offsets 2 to 4$/);
});

test('fingerprints are those of the log’s first record and of the last applied one', async t => {
  const scene = await createPartitionScene(mongo.database('claim'));
  const { eventLog, store } = scene;
  t.deepEqual((await scene.claim()).fingerprints, [], 'an empty log has none');
  eventLog.add(...events('budget-1', 4));
  const at = (offset: number) => eventLog.records.slice(offset, offset + 1).map(fingerprintOf);
  t.deepEqual((await scene.claim()).fingerprints, at(0), 'present before the first chunk');
  await scene.apply(await scene.claim(), eventLog.records.slice(0, 2));
  const checkpoint = await store.collections.checkpoints.findOne({ _id: PARTITION });
  t.deepEqual(checkpoint?.fingerprints, [...at(0), ...at(1)]);
  t.deepEqual((await scene.project()).fingerprints, [...at(0), ...at(3)]);
});

test('a log may begin with offsets without a visible record', async t => {
  const scene = await createPartitionScene(mongo.database('claim'));
  scene.eventLog.add(...events('budget-1', 3));
  scene.eventLog.hidden.add(0);
  t.deepEqual((await scene.claim()).fingerprints, []);
});

test('DATA_LOSS: the last applied record is not visible any more', async t => {
  const scene = await sixOfTen();
  scene.eventLog.hidden.add(5);
  t.is(await takeOver(scene.context, PARTITION), null);
  t.regex(scene.lines.at(-1)?.msg, /the record at offset 5 is not the one that was applied$/);
});

test('the first record reveals a log that was recreated before anything was applied from it', async t => {
  const scene = await createPartitionScene(mongo.database('claim'));
  scene.eventLog.add(...events('budget-1', 3));
  const claimed = await scene.claim();
  scene.eventLog.records.splice(0);
  scene.eventLog.add(...events('budget-2', 3));
  // The checkpoint keeps the fingerprint of the log at the time of the claim.
  await scene.apply(claimed, scene.eventLog.records);
  t.is(await takeOver(scene.context, PARTITION), null);
  t.regex(scene.lines.at(-1)?.msg, /the record at offset 0 is not the one that was applied$/);
});

test('DATA_LOSS halts only its own partition', async t => {
  const folder = await temporaryFolder(t);
  const eventLog = await openFolderLog(folder, { partitions: 2 });
  t.teardown(() => eventLog.close());
  const subjects = [0, 1].map(partition => {
    for (let number = 1; ; number += 1) {
      if (partitionOf(`budget-${number}`, 2) === partition) return `budget-${number}`;
    }
  });
  for (const subject of subjects) {
    const records = events(subject, 4).map(event => ({
      key: subject,
      value: JSON.stringify(event),
    }));
    await eventLog.append(records);
  }
  const store = await openTestStore(mongo.database('claim'));
  const { checkpoints, heads } = store.collections;
  await changeRegistry(heads.db, registry => withNew(registry, 1, new Date()));
  // Partition 0 was applied further than this log goes.
  await checkpoints.insertOne({
    _id: 0,
    epoch: 3,
    next: 9,
    owner: 'former',
    sessions: [...store.session.ids],
    partitions: await eventLog.partitions(),
    fingerprints: [],
  });
  const stopping = new AbortController();
  const { logger, lines } = memoryLog();
  const openStore = storeOpener(store);
  const projecting = runProjector({ openStore, eventLog, group: 'g1', logger }, stopping.signal);
  const fatal = () => lines.filter(({ level }) => level === 60);
  while ((await checkpoints.findOne({ _id: 1 }))?.next !== 4) await sleep(20);
  while (fatal().length === 0) await sleep(20);
  t.like(await heads.findOne({ partition: 1 }), { _id: subjects[1], sequence: 4 });
  t.is(await heads.countDocuments({ partition: 0 }), 0);
  t.is((await checkpoints.findOne({ _id: 0 }))?.next, 9);
  // A checkpoint ahead of the log does not compensate for another partition that is behind.
  t.deepEqual(await progressOf(store.collections, eventLog), { applied: 8, total: 8 });
  const { generations } = await systemStatus(heads.db, eventLog, new Date());
  t.like(generations[0], { applied: 8, total: 8 });
  t.deepEqual(
    generations[0]?.partitions.map(({ lagEvents }) => lagEvents),
    [0, 0],
  );
  t.is(fatal().length, 1);
  const expected = `DATA_LOSS in folder ${folder}, partition 0: expected offset 9 next`;
  t.true(fatal()[0]?.msg.startsWith(expected), fatal()[0]?.msg);
  stopping.abort();
  await projecting;
});
