// The peak memory of a projector over a long replay, in proportion to a short one.
import type { Bench, Figure } from '../bench.ts';
import { createHistory, replay } from '../replay.ts';

export const projectorMemory: Figure = {
  name: 'projector-memory',
  async measure(bench) {
    const [few, many] = bench.sizes.memoryEvents;
    const baseline = await peak(bench, few);
    const subject = await peak(bench, many);
    return [
      {
        what: `Projector's peak memory, ${many} events`,
        against: `${few} events`,
        unit: 'MB',
        rounds: { subject: [subject], baseline: [baseline] },
        goal: { ratio: { atMost: 1.2 }, value: { atMost: 350 } },
      },
    ];
  },
};

async function peak(bench: Bench, events: number): Promise<number> {
  const topic = await createHistory(bench, { events });
  const mongod = await bench.mongod();
  const { peakMegabytes } = await replay(mongod, topic);
  await mongod.stop();
  await topic.close();
  return peakMegabytes;
}
