// SIGKILL at random points of a projection: the documents equal those of an undisturbed run, byte for byte.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { type StartedMongo, startMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import { differencesIn } from './differences-in.ts';
import { dump, testStore } from './test-store.ts';

const KILLS = 20;
const SEED = 41;
const PROCESS = fileURLToPath(new URL('./projector-process.js', import.meta.url));

let mongo: StartedMongo;
let folder: string;

test.before(async () => {
  mongo = await startMongo();
  folder = await mkdtemp(join(tmpdir(), 'budgeting-kill-'));
  const eventLog = await openFolderLog(folder, { partitions: 2 });
  const history = randomHistory({
    seed: SEED,
    events: 6000,
    budgets: 6,
    spaces: 2,
    users: 3,
    wildNames: true,
    invalidShare: 0.0005,
    disorderShare: 0.01,
    duplicateShare: 0.02,
  });
  const events = eventsOf(history);
  await eventLog.append(
    events.map(event => ({ key: event.subject, value: JSON.stringify(event) })),
  );
  await eventLog.close();
});

test.after.always(async () => {
  await rm(folder, { recursive: true, force: true });
  await mongo.stop();
});

test.serial(
  'the documents equal those of an undisturbed run after 20 kills at random points',
  async t => {
    const undisturbed = mongo.database('undisturbed').databaseName;
    t.is((await ended(start(undisturbed, [500, 20_000]))).code, 0);
    const killed = mongo.database('killed').databaseName;
    await projectKilled(t, killed, { limits: [20, 20_000], commandsMax: 250 });

    const expected = await dump(await testStore(mongo.client, undisturbed));
    const got = await dump(await testStore(mongo.client, killed));
    t.true(expected.length > 1000, `only ${expected.length} documents were made`);
    t.deepEqual(got, expected);
  },
);

test.serial('the documents equal those of the log after 20 kills among big changes', async t => {
  const killed = mongo.database('killed_aside');
  // Many cascades become shadow sets, so some kills interrupt one.
  await projectKilled(t, killed.databaseName, { limits: [100, 12], commandsMax: 500 });
  const store = await testStore(mongo.client, killed.databaseName);
  const eventLog = await openFolderLog(folder);
  t.deepEqual(await differencesIn({ db: killed, store, eventLog }), []);
  await eventLog.close();
  const sets = (await store.collections.heads.find().toArray()).map(({ set }) => set ?? '');
  t.is(await store.collections.rows.countDocuments({ set: { $nin: sets } }), 0);
});

interface KillOptions {
  readonly limits: Limits;
  /** Per life; twenty lives must not suffice for the whole history. */
  readonly commandsMax: number;
}

async function projectKilled(
  t: ExecutionContext,
  database: string,
  { limits, commandsMax }: KillOptions,
): Promise<void> {
  const random = createRandom(SEED);
  let kills = 0;
  while (kills < KILLS) {
    // From before the first claim to well into the chunks.
    const child = start(database, limits, random.between(1, commandsMax));
    if ((await ended(child)).signal === 'SIGKILL') kills += 1;
    else break;
  }
  t.is(kills, KILLS, 'the history was projected before all kills took place');
  t.is((await ended(start(database, limits))).code, 0);
}

/** The most records of a batch, and the most documents of a chunk. */
type Limits = readonly [number, number];

/** @param lifetime the number of database commands before it is killed (default: it runs to its end) */
function start(database: string, limits: Limits, lifetime?: number): ChildProcess {
  const numbers = lifetime === undefined ? limits : [...limits, lifetime];
  return fork(PROCESS, [mongo.url, database, folder, ...numbers.map(String)], { stdio: 'inherit' });
}

async function ended(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
}
