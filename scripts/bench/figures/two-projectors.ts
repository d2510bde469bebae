// The rate of two projectors that share two partitions, in proportion to one that has both.
import type { Figure } from '../bench.ts';
import { alternate } from '../measured.ts';
import { createHistory, replay } from '../replay.ts';

export const twoProjectors: Figure = {
  name: 'two-projectors',
  async measure(bench) {
    const { sharedEvents: events, replayRounds } = bench.sizes;
    const topic = await createHistory(bench, { events, partitions: 2 });
    const mongod = await bench.mongod();
    const rate = (projectors: number) => async () =>
      events / (await replay(mongod, topic, projectors)).seconds;
    const rounds = await alternate(replayRounds, rate(1), rate(2));
    await mongod.stop();
    await topic.close();
    return [
      {
        what: `Two projectors, 2 partitions, ${events} events`,
        against: 'one projector',
        unit: 'events/s',
        rounds,
        goal: { ratio: { atLeast: 1 } },
      },
    ];
  },
};
