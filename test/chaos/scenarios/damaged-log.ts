// The log loses records for good: the loss is noticed, nothing continues over the hole, everything else does.
import { setTimeout as sleep } from 'node:timers/promises';
import { DamagedLogError } from '../../../src/event-log/event-log.ts';
import { partitionOf } from '../../../src/event-log/partition-of.ts';
import { administer, deleteRecords, deleteTopic } from '../../helpers/kafka.ts';
import type { Random } from '../../histories/random.ts';
import { eventMaker } from '../../projections/story.ts';
import {
  answersOf,
  expectApplied,
  expectHalted,
  expectRefused,
  expectSameAnswers,
  expectSoon,
  notReady,
  ready,
  statusOf,
} from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { messageOf, PARTITIONS, type Stage } from './stage.ts';
import { setRetention, setTopic } from './topic-settings.ts';

const EMPTIED_MS_MAX = 400_000;
const UNNOTICED_MS = 3000;
const FOREVER = { 'retention.ms': -1 };
const COMPACTION = {
  'cleanup.policy': 'compact',
  'min.cleanable.dirty.ratio': 0.001,
  'segment.ms': 100,
};

export const DAMAGED_LOG: readonly Scenario[] = [
  {
    name: 'log start moved',
    async run(stage, random) {
      const victim = random.pick(await filled(stage));
      const others = (await all(stage)).filter(partition => partition !== victim);
      const before = await answersOf(stage, budget => ownPartitionOf(budget) === victim);
      await moveStart(stage, victim, random);
      await restartSome(stage, random);
      await expectHalted(stage, [victim]);
      await stage.goOn();
      await expectApplied(stage, others);
      restart(stage);
      await expectHalted(stage, [victim]);
      await expectSameAnswers(stage, before);
    },
  },
  {
    name: 'retention on a live topic, put right before it strikes',
    async run(stage, random) {
      const before = await answersOf(stage);
      await setRetention(stage, 365 * 24 * 3_600_000);
      await restartSome(stage, random);
      await expectSoon(stage, 'the retention of the topic is noticed', async () => {
        const { err, out } = await stage.budgeting('status');
        if (/retention\.ms/.test(err + out)) return null;
        const [projector] = stage.projectors;
        return projector ? await notReady(projector, /retention\.ms/) : 'no projector';
      });
      await expectSameAnswers(stage, before);
      await setRetention(stage, -1);
      for (const projector of stage.projectors) {
        await expectSoon(stage, `${projector.name} is ready again`, () => ready(projector));
      }
      await stage.goOn();
      await expectApplied(stage, await all(stage));
      const { code, out } = await stage.budgeting('verify');
      if (code !== 0) stage.blame(`verify of a topic that was put right: ${out.slice(-1000)}`);
    },
  },
  {
    name: 'retention emptied a live topic',
    async run(stage, random) {
      const before = await answersOf(stage);
      const lost = await filled(stage);
      await setRetention(stage, 1000);
      const patient = { ...stage, msMax: EMPTIED_MS_MAX };
      await expectSoon(patient, 'the broker empties the topic', () => emptied(stage));
      await setRetention(stage, -1);
      await restartSome(stage, random);
      await expectHalted(stage, lost);
      await expectSameAnswers(stage, before);
    },
  },
  {
    name: 'topic deleted and made again',
    async run(stage, random) {
      const before = await answersOf(stage);
      const lost = await filled(stage);
      const { kafka, topic, partitions } = stage;
      await deleteTopic(kafka, topic);
      await restartSome(stage, random);
      await sleep(UNNOTICED_MS);
      const topics = await administer(kafka, admin => admin.listTopics());
      if (topics.includes(topic)) stage.blame('the product made the deleted topic again');
      await expectRefused(stage);
      await expectSameAnswers(stage, before);
      const configEntries = [{ name: 'retention.ms', value: '-1' }];
      const made = { topic, numPartitions: partitions, configEntries };
      await administer(kafka, async admin => {
        await admin.createTopics({ topics: [made], waitForLeaders: true });
      });
      if (random.chance(0.5)) await stage.goOn();
      await expectHalted(stage, lost);
      await expectSameAnswers(stage, before);
    },
  },
  {
    name: 'records missing in the midst of the log',
    async run(stage, random) {
      const victim = random.pick(await filled(stage));
      const others = (await all(stage)).filter(partition => partition !== victim);
      const before = await answersOf(stage, budget => ownPartitionOf(budget) === victim);
      // Meanwhile nobody sees the settings, which by themselves would stop a projector.
      const [projector] = stage.projectors;
      await projector?.freeze(() => compact(stage, victim));
      restart(stage);
      await expectHalted(stage, [victim]);
      const starts = stage.projectors.map(one => one.starts());
      await stage.goOn();
      await expectApplied(stage, others);
      await expectSameAnswers(stage, before);
      const now = stage.projectors.map(one => one.starts());
      if (String(now) !== String(starts)) stage.blame('the hole ended a projector');
    },
  },
  {
    name: 'rebuild from a damaged log',
    async run(stage, random) {
      const before = await answersOf(stage);
      const victim = random.pick(await filled(stage));
      const isEarly = random.chance(0.5);
      if (isEarly) await moveStart(stage, victim, random);
      const building = stage.budgeting('rebuild');
      if (!isEarly) await moveStart(stage, victim, random);
      const { code, out, err } = await building;
      // The build may have ended before the damage.
      const isBuilt = !isEarly && code === 0;
      if (!isBuilt && (code === 0 || !/DATA_LOSS/.test(err + out))) {
        stage.blame(`rebuild from a damaged log ended with ${code}: ${out} ${err}`);
      }
      const { active, generations } = await statusOf(stage);
      const failed = generations.find(({ state }) => state === 'failed');
      if (!isBuilt && active !== 'g1') stage.blame(`${active} answers after a failed rebuild`);
      if (!isBuilt && !/DATA_LOSS/.test(failed?.reason ?? '')) {
        stage.blame(`status names no failed build: ${JSON.stringify(generations)}`);
      }
      await expectSameAnswers(stage, before);
      await expectHalted(stage, [victim]);
    },
  },
];

function ownPartitionOf(stream: string): number {
  return partitionOf(stream, PARTITIONS);
}

async function all({ partitions }: Stage): Promise<number[]> {
  return Array.from({ length: partitions }, (_, partition) => partition);
}

/** Returns the partitions with more than one record. */
async function filled(stage: Stage): Promise<number[]> {
  const found: number[] = [];
  for (const partition of await all(stage)) {
    if ((await stage.eventLog.bounds(partition)).end > 1) found.push(partition);
  }
  return found;
}

async function emptied(stage: Stage): Promise<string | null> {
  for (const partition of await all(stage)) {
    const { start, end } = await stage.eventLog.bounds(partition);
    if (start < end) return `partition ${partition} holds ${start} to ${end}`;
  }
  return null;
}

async function moveStart({ kafka, topic, eventLog }: Stage, partition: number, random: Random) {
  const { end } = await eventLog.bounds(partition);
  await deleteRecords(kafka, { topic, partition, before: random.between(1, end - 1) });
}

/**
 * Compacts one partition: of each stream in it all records but the last one are gone, so the log has holes, though it still
 * begins at offset 0. Compaction spares the newest segment, and only a new record begins one.
 */
async function compact(stage: Stage, victim: number): Promise<void> {
  await setTopic(stage, { ...COMPACTION, ...FOREVER });
  const names = Array.from({ length: 100 }, (_, index) => `filler-${index}`);
  const event = eventMaker(names.find(name => ownPartitionOf(name) === victim) ?? '');
  await stage.produce([messageOf(event({ type: 'space.created', data: { name: null } }))]);
  const patient = { ...stage, msMax: EMPTIED_MS_MAX };
  await expectSoon(patient, 'the broker compacts the partition', () => findHole(stage, victim));
  await setTopic(stage, FOREVER);
}

/** Returns null once the first record is missing. */
async function findHole({ eventLog }: Stage, partition: number): Promise<string | null> {
  try {
    for await (const _ of eventLog.scan({ partition, from: 0, to: 1 }));
    return 'its first record is still there';
  } catch (error) {
    if (error instanceof DamagedLogError) return null;
    throw error;
  }
}

function restart({ projectors }: Stage): void {
  for (const projector of projectors) projector.signal('SIGKILL');
}

/** Restarts sometimes: a claim notices at once what a running process notices after a while. */
async function restartSome(stage: Stage, random: Random): Promise<void> {
  if (random.chance(0.5)) restart(stage);
}
