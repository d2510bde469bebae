// The Kafka broker of a test run: the one that KAFKA_BROKERS names, or one that is started for the run.
import { UserError } from '../../src/process/errors.ts';
import { startKafka } from '../kafka/start-kafka.ts';
import type { Resource } from './resource.ts';

const NO_BROKER: Resource = { env: {}, stop: async () => {} };

export async function kafka(): Promise<Resource> {
  const { env } = process;
  // Under another name, because processes of the product that tests start would use KAFKA_BROKERS.
  const given = env.TEST_KAFKA_BROKERS || env.KAFKA_BROKERS;
  if (given) return { env: { KAFKA_BROKERS: '', TEST_KAFKA_BROKERS: given }, stop: async () => {} };
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  try {
    report('Starting Kafka for the tests');
    const { brokers, stop } = await startKafka({ env, report });
    return { env: { TEST_KAFKA_BROKERS: brokers }, stop };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // In CI a missing broker must not skip tests: each of them fails under its own name.
    const fate = env.CI === 'true' ? 'will FAIL' : 'are SKIPPED';
    report(`${error.message}. Tests that need Kafka ${fate}.`);
    return { ...NO_BROKER, env: { TEST_KAFKA_MISSING: error.message } };
  }
}
