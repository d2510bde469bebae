// `npm run dev:kafka`: runs a Kafka broker on this machine until ^C; each start begins with empty data.
import { startKafka } from './kafka/start-kafka.ts';
import { keepRunning } from './keep-running.ts';
import { parseOptions } from './parse-options.ts';
import { runMain } from './run-main.ts';

const PORT = 9092;

async function main(): Promise<void> {
  parseOptions({});
  const report = (line: string) => process.stderr.write(`${line}\n`);
  const kafka = await startKafka({ env: process.env, report, port: PORT });
  await keepRunning(`KAFKA_BROKERS=${kafka.brokers}`, kafka.stop);
}

await runMain(main);
