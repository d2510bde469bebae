// `npm run dev:kafka`: runs a Kafka broker on this machine until ^C; each start begins with empty data.
import { once } from 'node:events';
import { startKafka } from './kafka/start-kafka.ts';
import { runMain } from './run-main.ts';

const PORT = 9092;

async function main(): Promise<void> {
  const report = (line: string) => process.stderr.write(`${line}\n`);
  const kafka = await startKafka({ env: process.env, report, port: PORT });
  process.stdout.write(`KAFKA_BROKERS=${kafka.brokers}\n`);
  report('^C stops it and removes its data');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await kafka.stop();
}

await runMain(main);
