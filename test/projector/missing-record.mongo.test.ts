// A record that is missing in the middle of the log is damage, as a log that was cut short is: it halts its partition
// alone, appends are refused, and status and verification go on to work.
import { rm, truncate } from 'node:fs/promises';
import type { ExecutionContext } from 'ava';
import { checkDataLoss } from '../../src/commands/opening/target.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { segmentFile } from '../../src/event-log/folder/layout.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { damageOf } from '../../src/projector/log-damage.ts';
import { systemStatus } from '../../src/projector/operate/system-status.ts';
import type { GenerationMetrics } from '../../src/projector/partition/partition-context.ts';
import { runProjector } from '../../src/projector/projector.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { ensureGeneration } from '../helpers/generation.ts';
import { useMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { memoryLog } from '../http/memory-log.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { openTestStore, storeOpener } from './test-store.ts';

const mongo = useMongo(test);

const PARTITIONS = 2;
/** The partition that loses a record. */
const DAMAGED = 1;
/** Each record has a segment of its own. */
const SEGMENT_BYTES_MAX = 1;

/** Returns a budget whose events lie in the partition. */
function budgetIn(partition: number): string {
  for (let number = 1; ; number += 1) {
    if (partitionOf(`budget-${number}`, PARTITIONS) === partition) return `budget-${number}`;
  }
}

interface Scene {
  readonly store: ProjectorStore;
  readonly folder: string;
  /** Opens the log, as a process does when it starts. */
  open(): Promise<EventLog>;
  /** Appends the next events of both budgets. */
  append(count: number): Promise<void>;
}

async function createScene(t: ExecutionContext): Promise<Scene> {
  const folder = await temporaryFolder(t);
  const open = async () => {
    const options = { partitions: PARTITIONS, segmentBytesMax: SEGMENT_BYTES_MAX };
    const eventLog = await openFolderLog(folder, options);
    t.teardown(() => eventLog.close());
    return eventLog;
  };
  const eventLog = await open();
  const db = mongo.database('missing');
  await ensureGeneration(db);
  const makers = Array.from({ length: PARTITIONS }, (_, partition) => {
    return { key: budgetIn(partition), eventOf: eventMaker(budgetIn(partition)) };
  });
  let appended = 0;
  return {
    store: await openTestStore(db),
    folder,
    open,
    async append(count) {
      for (let left = count; left > 0; left -= 1) {
        const draft = appended === 0 ? CREATED : payee(`payee-${appended}`);
        appended += 1;
        for (const { key, eventOf } of makers) {
          await eventLog.append([{ key, value: JSON.stringify(eventOf(draft)) }]);
        }
      }
    },
  };
}

function projecting(t: ExecutionContext, { store }: Scene, eventLog: EventLog) {
  const { checkpoints } = store.collections;
  const stopping = new AbortController();
  const openStore = storeOpener(store);
  const { logger, lines } = memoryLog();
  const states: string[] = [];
  const metrics: GenerationMetrics = {
    chunkApplied() {},
    partition: (partition, state) => states.push(`${partition} ${state}`),
  };
  const options = { openStore, eventLog, group: 'g1', logger, logCheckMs: 100, metrics };
  const run = runProjector(options, stopping.signal);
  run.catch(() => {});
  const stop = async () => {
    stopping.abort();
    await run;
  };
  t.teardown(() => stop().catch(() => {}));
  const applied = (partition: number, next: number) =>
    eventually(t, async u => {
      u.is((await checkpoints.findOne({ _id: partition }))?.next, next);
    });
  const halted = (reason: RegExp) =>
    eventually(t, async u => {
      const fatal = lines.filter(({ level }) => level === 60).map(({ msg }) => msg);
      u.regex(fatal.join('\n'), reason);
      u.regex((await checkpoints.findOne({ _id: DAMAGED }))?.halted?.reason ?? '', reason);
    });
  return { stop, applied, halted, states };
}

/** Projects four records of each partition, and appends two more. */
async function fourOfSix(t: ExecutionContext): Promise<Scene> {
  const scene = await createScene(t);
  await scene.append(4);
  const first = projecting(t, scene, await scene.open());
  for (const partition of [0, 1]) await first.applied(partition, 4);
  await first.stop();
  await scene.append(2);
  return scene;
}

test('a last applied record that is missing halts its partition at the claim', async t => {
  const scene = await fourOfSix(t);
  await rm(segmentFile(scene.folder, DAMAGED, 3));
  const eventLog = await scene.open();
  const { stop, applied, halted } = projecting(t, scene, eventLog);
  await halted(/^DATA_LOSS in folder .*, partition 1: .*ends before offset 3/);
  await applied(0, 6);
  await stop();
  const { collections } = scene.store;
  const checkpoint = await collections.checkpoints.findOne({ _id: DAMAGED });
  t.is(checkpoint?.next, 4);
  t.regex((checkpoint && (await damageOf(eventLog, DAMAGED, checkpoint))) ?? '', /offset 3/);
  await t.throwsAsync(checkDataLoss(eventLog, [collections]), {
    message: /^DATA_LOSS in folder .*, partition 1: .*ends before offset 3/,
  });
});

test('a halted partition counts as halted until another process claims it', async t => {
  const scene = await fourOfSix(t);
  await rm(segmentFile(scene.folder, DAMAGED, 3));
  const { stop, halted, states } = projecting(t, scene, await scene.open());
  await halted(/^DATA_LOSS/);
  const { checkpoints } = scene.store.collections;
  await eventually(t, async u => void u.true(states.includes('0 claimed')));
  t.false(states.includes(`${DAMAGED} released`), String(states));
  await checkpoints.updateOne({ _id: DAMAGED }, { $set: { owner: 'another' }, $inc: { epoch: 1 } });
  await eventually(t, async u => void u.is(states.at(-1), `${DAMAGED} released`));
  await stop();
});

test('a next record that is missing halts its partition, and status goes on to work', async t => {
  const scene = await fourOfSix(t);
  await rm(segmentFile(scene.folder, DAMAGED, 4));
  const eventLog = await scene.open();
  const { stop, applied, halted } = projecting(t, scene, eventLog);
  await halted(/^DATA_LOSS in folder .*, partition 1: .*ends before offset 4/);
  await applied(0, 6);
  await stop();
  const { db } = scene.store.collections.heads;
  const { generations } = await systemStatus(db, eventLog, new Date());
  t.like(generations[0]?.partitions[DAMAGED], { next: 4, lagEvents: 2, lagSeconds: 0 });
});

test('a log whose first record is missing halts before anything is applied', async t => {
  const scene = await createScene(t);
  const eventLog = await scene.open();
  await scene.append(2);
  await truncate(segmentFile(scene.folder, DAMAGED, 0));
  const { stop, applied, halted } = projecting(t, scene, eventLog);
  await halted(/^DATA_LOSS in folder .*, partition 1: .*ends before offset 0/);
  await applied(0, 2);
  await stop();
  t.is(await scene.store.collections.heads.countDocuments({ partition: DAMAGED }), 0);
});

test('the watch of the log finds a record that goes missing while nothing is read', async t => {
  const scene = await createScene(t);
  await scene.append(2);
  const eventLog = await scene.open();
  const { stop, applied, halted } = projecting(t, scene, eventLog);
  for (const partition of [0, 1]) await applied(partition, 2);
  await truncate(segmentFile(scene.folder, DAMAGED, 0));
  // Shorter, if the watch had just looked at its size.
  await halted(/^DATA_LOSS in folder .*, partition 1: .*(?:ends before offset 0|is shorter than)/);
  await scene.append(1);
  await applied(0, 3);
  await stop();
});
