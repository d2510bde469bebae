// Faults of events on their way: repeated, out of order, broken; and the decisions of operators about them.
import type { Fault } from './fault.ts';
import { QUEUE_FAULT } from './queue-fault.ts';
import { SMALL_BUDGETS_FAULT } from './small-budgets-fault.ts';
import { STRAY_FAULTS } from './stray-faults.ts';

export const EVENT_FAULTS: readonly Fault[] = [
  {
    name: 'events delivered again',
    weight: 3,
    of: 'events',
    async run({ traffic }, random) {
      traffic.inject(traffic.earlier(random.between(1, 60)));
    },
  },
  {
    name: 'events out of order',
    weight: 3,
    of: 'events',
    async run({ traffic }, random) {
      traffic.shuffle(random.between(10, 80));
    },
  },
  {
    name: 'record that is no event',
    weight: 1,
    of: 'events',
    async run({ traffic, partitions }, random) {
      const value = random.pick(['no event', '{"specversion":"1.0"', '', '[]', 'null', '{"a":1}']);
      const [known] = traffic.earlier(1);
      const key = random.pick([null, `junk-${random.below(1e9)}`, known?.key ?? null]);
      traffic.inject([{ key, value, partition: random.below(partitions) }]);
    },
  },
  {
    name: 'held stream retried or skipped',
    weight: 1,
    of: 'events',
    async run({ budgeting }, random) {
      const { code, out } = await budgeting('parked', 'list', '--json');
      if (code !== 0) return;
      const { streams }: { streams: { stream: string; why: string }[] } = JSON.parse(out);
      const [held] = random.some(
        streams.filter(({ why }) => why === 'parked'),
        1,
      );
      const action = random.chance(0.3) ? 'retry' : 'skip';
      if (held) await budgeting('parked', action, held.stream);
    },
  },
  SMALL_BUDGETS_FAULT,
  QUEUE_FAULT,
  ...STRAY_FAULTS,
];
