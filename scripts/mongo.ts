// `npm run dev:mongo`: runs a mongod on this machine until ^C, so that tests start none; each start begins with empty data.
import { keepRunning } from './keep-running.ts';
import { parseOptions } from './parse-options.ts';
import { runMain } from './run-main.ts';
import { startMongo } from './test/start-mongo.ts';

const PORT = 27117;

async function main(): Promise<void> {
  parseOptions({});
  const { env, stop } = await startMongo(PORT);
  await keepRunning(`TEST_MONGODB_URL=${env.TEST_MONGODB_URL}`, stop);
}

await runMain(main);
