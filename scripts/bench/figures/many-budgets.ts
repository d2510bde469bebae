// Replays of many small budgets, in proportion to as many events of a few large ones: peak memory and connections of a
// projector, and processor time per event. Each chunk of such a log touches as many budgets as it has events of one.
import type { NewRecord } from '../../../src/event-log/event-log.ts';
import { PARTITIONS_DEFAULT } from '../../../src/event-log/kafka/topic.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { peakConnections } from '../connections.ts';
import { interleaved, stream } from '../history.ts';
import type { Measured } from '../measured.ts';
import { runCli } from '../processes.ts';
import { checkNothingHeld } from '../progress.ts';
import {
  histories,
  isReplayed,
  measureReplay,
  partsOf,
  processorTimeOf,
  type Replayed,
} from '../replay.ts';
import { smallHistory } from '../small-history.ts';
import { createTopic, environmentOf, recordsIn, type Topic } from '../topic.ts';

interface Many extends Replayed {
  readonly connections: number;
}

export const manyBudgetsFigure: BenchFigure = {
  name: 'many-budgets',
  async measure(bench) {
    const { few, small, single } = bench.sizes.manyBudgets;
    const large = await replayed(bench, histories(few.budgets * few.events, few.budgets));
    const events = small.budgets * small.events;
    const fifty = await replayed(bench, smallHistories(small));
    const one = await replayed(bench, created(single));
    const against = `${few.budgets} budgets of ${few.events} events`;
    return [
      ...figuresOf(`${events} events of ${small.budgets} budgets`, fifty, { against, large }),
      ...figuresOf(`One event each of ${single} budgets`, one, { against, large }),
    ];
  },
};

interface Baseline {
  readonly against: string;
  readonly large: Many;
}

function figuresOf(what: string, many: Many, { against, large }: Baseline): Measured[] {
  const compared = (measure: (one: Many) => number) => ({
    subject: [measure(many)],
    baseline: [measure(large)],
  });
  return [
    {
      what: `${what}: projector's peak memory`,
      against,
      unit: 'MB',
      rounds: compared(({ peakMegabytes }) => peakMegabytes),
      goal: { value: { atMost: 350 } },
    },
    {
      what: `${what}: processor time per event: ${partsOf([many])}`,
      against,
      unit: 'µs',
      rounds: compared(processorTimeOf),
      goal: { ratio: { atMost: 1.3 } },
    },
    {
      what: `${what}: connections of mongod`,
      against,
      unit: 'connections',
      rounds: compared(({ connections }) => connections),
      // The peak of a pool differs by one or two between runs.
      goal: { ratio: { atMost: 1.1 } },
    },
  ];
}

async function replayed(bench: Bench, records: Iterable<NewRecord>): Promise<Many> {
  const topic: Topic = await createTopic(await bench.kafka(), PARTITIONS_DEFAULT);
  await topic.append(records);
  bench.report(`Replaying ${recordsIn(topic)} events`);
  const mongod = await bench.mongod();
  const database = mongod.client.db('budgeting');
  const connections = peakConnections(mongod);
  const measured = await measureReplay(mongod, topic, {
    start: async () => [runCli(['project'], environmentOf(mongod, topic))],
    isDone: () => isReplayed(database, topic),
  });
  await checkNothingHeld(database);
  const many = { ...measured, connections: await connections.end() };
  await mongod.stop();
  await topic.close();
  return many;
}

function smallHistories({ budgets, events }: { budgets: number; events: number }) {
  return interleaved(Array.from({ length: budgets }, (_, index) => smallHistory(index, events)));
}

/** Yields the first event of each budget alone. */
function* created(budgets: number): Generator<NewRecord> {
  for (let index = 0; index < budgets; index += 1) {
    const data = { spaceId: `space-${index}`, name: `Budget ${index}`, currency: 'EUR' } as const;
    yield stream(`budget-${index}`)('budget.created', data);
  }
}
