// Several projectors of one group that share the partitions of a topic, in proportion to one that has all of them.
import type { BenchFigure } from '../bench.ts';
import type { Goal, Measured } from '../measured.ts';
import { createHistory, partsOf, processorTimeOf, type Replayed, replay } from '../replay.ts';
import { recordsIn } from '../topic.ts';

const GROUPS: readonly { readonly projectors: number; readonly goal: Goal }[] = [
  { projectors: 2, goal: { ratio: { atLeast: 1 } } },
  { projectors: 4, goal: {} },
];

export const processesFigure: BenchFigure = {
  name: 'processes',
  async measure(bench) {
    const { sharedEvents: events, replayRounds } = bench.sizes;
    const topic = await createHistory(bench, { events });
    const mongod = await bench.mongod();
    const single: Replayed[] = [];
    const shared = GROUPS.map(group => ({ ...group, replays: [] as Replayed[] }));
    for (let round = 0; round < replayRounds; round += 1) {
      single.push(await replay(mongod, topic));
      for (const { projectors, replays } of shared)
        replays.push(await replay(mongod, topic, projectors));
    }
    await mongod.stop();
    await topic.close();
    const total = recordsIn(topic);
    return shared.flatMap(({ projectors, goal, replays }): Measured[] => {
      const compared = (measure: (one: Replayed) => number) => ({
        subject: replays.map(measure),
        baseline: single.map(measure),
      });
      return [
        {
          what: `Replay of ${total} events by ${projectors} projectors`,
          against: 'one projector',
          unit: 'events/s',
          rounds: compared(({ seconds }) => total / seconds),
          goal,
        },
        {
          what: `Processor time per event, ${projectors} projectors: ${partsOf(replays)}`,
          against: `one projector: ${partsOf(single)}`,
          unit: 'µs',
          rounds: compared(processorTimeOf),
          goal: {},
        },
      ];
    });
  },
};
