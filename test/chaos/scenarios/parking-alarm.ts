// A fault of a release or of the producer: very many streams would be parked at once, in all partitions, over restarts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import { CREATED, eventMaker } from '../../projections/story.ts';
import {
  activeStatus,
  answersOf,
  expectApplied,
  expectSameAnswers,
  expectSoon,
  notReady,
  ready,
} from './expectations.ts';
import type { Scenario } from './scenario.ts';
import { messageOf, type Stage } from './stage.ts';

const STREAMS = 60;
const BAD = 40;
/** The alarm trips at this number of parked streams (rules/projecting.md#parking-alarm). */
const PARKED_MIN = 20;
const UNPAUSED_MS = 3000;
const DRIP_MS = [100, 700] as const;

export const PARKING_ALARM: Scenario = {
  name: 'parking alarm over partitions and restarts',
  async run(stage, random) {
    const before = await answersOf(stage);
    const second = stage.addProjector();
    const streams = Array.from({ length: STREAMS }, (_, index) => alarmStream(`alarm-${index}`));
    await stage.produce(streams.map(({ created }) => created));
    await expectApplied(stage, [0, 1, 2, 3]);
    const bad = random.some(streams, BAD);
    const drips = random.chance(0.5);
    for (const [index, { broken }] of bad.entries()) {
      await stage.produce([broken]);
      if (drips) await sleep(random.between(...DRIP_MS));
      // The counts must survive the process.
      if (index % 12 === 6) random.pick([...stage.projectors, second]).signal('SIGKILL');
    }
    await expectPaused(stage);
    const { held, partitions } = await activeStatus(stage);
    if (held >= PARKED_MIN) stage.blame(`${held} streams are held in spite of the alarm`);
    const starts = startsOf(stage);
    await stage.goOn();
    await sleep(UNPAUSED_MS);
    const later = await activeStatus(stage);
    for (const { partition, next } of partitions) {
      const now = later.partitions.find(one => one.partition === partition)?.next;
      if (now !== next) stage.blame(`partition ${partition} went on from ${next} to ${now}`);
    }
    if (startsOf(stage) !== starts) stage.blame('a paused projector ended');
    for (const projector of stage.projectors) projector.signal('SIGKILL');
    await expectPaused(stage);
    await expectSameAnswers(stage, before);
    const { code, out, err } = await stage.budgeting('parked', 'resume');
    if (code !== 0) stage.blame(`parked resume ended with ${code}: ${out}${err}`);
    await expectApplied(stage, [0, 1, 2, 3]);
    for (const projector of stage.projectors) {
      await expectSoon(stage, `${projector.name} is ready after the pause`, () => ready(projector));
    }
    const after = await activeStatus(stage);
    if (after.held !== BAD) stage.blame(`${after.held} streams are held, expected ${BAD}`);
    const verified = await stage.budgeting('verify');
    if (verified.code !== 0) stage.blame(`verify after a pause: ${verified.out.slice(-1000)}`);
  },
};

interface AlarmStream {
  readonly created: Message;
  readonly broken: Message;
}

function alarmStream(subject: string): AlarmStream {
  const event = eventMaker(subject);
  const created = messageOf(event(CREATED));
  // A second creation, which is invalid.
  const broken = messageOf(event(CREATED));
  return { created, broken };
}

async function expectPaused(stage: Stage): Promise<void> {
  await expectSoon(stage, 'the generation is paused', async () => {
    const { paused, held } = await activeStatus(stage);
    return paused?.reason ? null : `paused is ${JSON.stringify(paused)}, ${held} streams are held`;
  });
  for (const projector of stage.projectors) {
    await expectSoon(stage, `${projector.name} says that it is paused`, () =>
      notReady(projector, /paused/i),
    );
  }
}

function startsOf({ projectors }: Stage): number {
  return projectors.reduce((sum, projector) => sum + projector.starts(), 0);
}
