// `npm run dev:mongo`: runs a mongod on this machine until ^C, so that tests start none; each start begins with empty data.
import { once } from 'node:events';
import { runMain } from './run-main.ts';
import { startMongo } from './test/start-mongo.ts';

const PORT = 27117;

async function main(): Promise<void> {
  const { env, stop } = await startMongo(PORT);
  process.stdout.write(`TEST_MONGODB_URL=${env.TEST_MONGODB_URL}\n`);
  process.stderr.write('^C stops it and removes its data\n');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await stop();
}

await runMain(main);
