// `rebuild --budget` as a separate process that stands still while it reads the log, until it is killed.
import { MongoClient } from 'mongodb';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { stubLog } from './log-in-memory.ts';
import { testStore } from './test-store.ts';

const [url = '', database = '', budget = ''] = process.argv.slice(2);
const client = await new MongoClient(url).connect();
const store = await testStore(client, database);
const eventLog = beforeScan(stubLog(), () => new Promise(resolve => setTimeout(resolve, 2 ** 30)));
const { signal } = new AbortController();
await rebuildStream(store, budget, {
  eventLog,
  limits: { rowsMax: 1000 },
  now: new Date(),
  signal,
});
