// A subscriber as a separate process that the test kills or stops; its store is in the test.
import type { Outcome } from '../../src/event-log/event-log.ts';
import { openKafkaLog } from '../../src/event-log/kafka/kafka-log.ts';
import { createLogger } from '../../src/process/log.ts';
import { configOf } from '../helpers/kafka.ts';
import type { Claimed } from './fenced-store.ts';
import { LIMITS, readOf } from './log-under-test.ts';

/** A request to the store. */
export type Question =
  | { readonly ask: 'claim'; readonly partition: number }
  | {
      readonly ask: 'apply';
      readonly claimed: Claimed;
      readonly values: readonly string[];
      readonly to: number;
    };

const [brokers = '', topic = '', group = '', sessionTimeoutMs = '0'] = process.argv.slice(2);

const answers = new Map<number, (answer: unknown) => void>();
process.on('message', ({ number, answer }: { number: number; answer: unknown }) => {
  answers.get(number)?.(answer);
  answers.delete(number);
});

let asked = 0;
function ask<T>(question: Question): Promise<T> {
  asked += 1;
  const number = asked;
  return new Promise(resolve => {
    answers.set(number, answer => resolve(answer as T));
    process.send?.({ number, question });
  });
}

const eventLog = await openKafkaLog(configOf(brokers), topic, {
  logger: createLogger(process.env.TEST_LOG_LEVEL ?? 'silent'),
  sessionTimeoutMs: Number(sessionTimeoutMs),
});
const claimedPartitions = new Map<number, Claimed>();
process.on('disconnect', () => process.exit(1));
await eventLog.subscribe(
  {
    async assigned(partition) {
      const claimed = await ask<Claimed>({ ask: 'claim', partition });
      claimedPartitions.set(partition, claimed);
      return claimed.next;
    },
    async batch({ partition, records, to }): Promise<Outcome> {
      const claimed = claimedPartitions.get(partition);
      if (!claimed) throw new Error(`Partition ${partition} was given back`);
      const values = readOf(records).map(({ value }) => value);
      return ask<Outcome>({ ask: 'apply', claimed, values, to });
    },
    async revoked(partition) {
      claimedPartitions.delete(partition);
    },
  },
  { group, limits: LIMITS, signal: new AbortController().signal },
);
