// The peak memory of a projector over a long replay, in proportion to a short one, and with the verification after it.
import type { Bench, BenchFigure } from '../bench.ts';
import { runCli } from '../processes.ts';
import { checkNothingHeld, isActive } from '../progress.ts';
import { createHistory, isReplayed, measureReplay } from '../replay.ts';
import { environmentOf } from '../topic.ts';

/** In megabytes. */
interface Peaks {
  readonly replay: number;
  /** Until the switch, which a verification of a sample comes before. */
  readonly whole: number;
}

export const projectorMemoryFigure: BenchFigure = {
  name: 'projector-memory',
  async measure(bench) {
    const [few, many] = bench.sizes.memoryEvents;
    const baseline = await peaks(bench, few);
    const subject = await peaks(bench, many);
    const what = `Projector's peak memory, ${many} events`;
    const common = { against: `${few} events`, unit: 'MB' };
    return [
      {
        ...common,
        what,
        rounds: { subject: [subject.replay], baseline: [baseline.replay] },
        goal: { ratio: { atMost: 1.2 }, value: { atMost: 350 } },
      },
      {
        ...common,
        what: `${what}, with the verification`,
        rounds: { subject: [subject.whole], baseline: [baseline.whole] },
        goal: {},
      },
    ];
  },
};

async function peaks(bench: Bench, events: number): Promise<Peaks> {
  const topic = await createHistory(bench, { events });
  const mongod = await bench.mongod();
  const database = mongod.client.db('budgeting');
  const projector = runCli(['project'], environmentOf(mongod, topic));
  let replay = 0;
  const { peakMegabytes: whole } = await measureReplay(mongod, topic, {
    start: async () => [projector],
    async isDone() {
      if (replay === 0 && !(await isReplayed(database, topic))) return false;
      replay ||= await projector.peakMegabytes();
      return await isActive(database);
    },
  });
  await checkNothingHeld(database);
  await mongod.stop();
  await topic.close();
  return { replay, whole };
}
