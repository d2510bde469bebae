// The Kafka broker of a test run: the one that KAFKA_BROKERS names, or one started here and gone afterwards.
import { UserError } from '../../src/errors.ts';
import { startKafka } from '../kafka/start-kafka.ts';
import type { Resource } from './resource.ts';

const NOTHING: Resource = { env: {}, stop: async () => {} };

/** @param args those of `npm test`: without a file that needs Kafka none is started */
export async function kafka(args: readonly string[]): Promise<Resource> {
  const { env } = process;
  if (!needsKafka(args)) return NOTHING;
  // Under a name of its own: processes of the product that tests start would take KAFKA_BROKERS for theirs.
  const given = env.TEST_KAFKA_BROKERS || env.KAFKA_BROKERS;
  if (given) return { env: { KAFKA_BROKERS: '', TEST_KAFKA_BROKERS: given }, stop: async () => {} };
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  try {
    report('Starting Kafka for the tests');
    const { brokers, stop } = await startKafka({ env, report });
    return { env: { TEST_KAFKA_BROKERS: brokers }, stop };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // A machine that decides must not leave out what it cannot run: there those tests fail, each by its name.
    const fate = env.CI === 'true' ? 'will FAIL' : 'are SKIPPED';
    report(`${error.message}. Tests that need Kafka ${fate}.`);
    return { ...NOTHING, env: { TEST_KAFKA_MISSING: error.message } };
  }
}

/** Whether all tests are to run, or one that names its need of Kafka. */
export function needsKafka(args: readonly string[]): boolean {
  const files = args.filter(argument => /\.test\.[jt]s$/.test(argument));
  return files.length === 0 || files.some(file => file.includes('.kafka.'));
}
