// A client whose cursor comes from a generation that read old events otherwise starts again: it misses no change below
// its cursor. A projector that finds other words in the log stands for a version that reads the same words otherwise.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { EventLog, LogRecord } from '../../src/event-log/event-log.ts';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { type Supervised, supervised } from '../generations/supervised.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee, space } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createSyncClient, type Get, listedCopy, type SyncClient } from './sync-client.ts';

const mongo = useMongo(test);
const BUDGET = 'budget-1';
const LIMITS = { rowsMax: 20_000 };
const REFUSED = /400.*its events were read as they are now; start again without it/;

interface Scene {
  readonly system: Supervised;
  readonly client: SyncClient;
  readonly get: Get;
}

/** A budget of four events, the third of which is the payee that versions read in different ways. */
async function begin(t: ExecutionContext): Promise<Scene> {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  const [eventOf, spaceEventOf] = [eventMaker(BUDGET), eventMaker('space-1')];
  await system.append(space(['user-1']).map(draft => spaceEventOf(draft)));
  const drafts = [CREATED, payee('a'), payee('disputed'), payee('b')];
  await system.append(drafts.map(draft => eventOf(draft)));
  const token = await system.token('user-1');
  // A database that is slow for a moment gives 503: the client asks again.
  const get: Get = async (path, headers = {}) => {
    const request = { headers: { authorization: `Bearer ${token}`, ...headers } };
    let response = await fetch(`${system.address}${path}`, request);
    while (response.status === 503) response = await fetch(`${system.address}${path}`, request);
    return response;
  };
  return { system, get, client: createSyncClient(get, BUDGET) };
}

/** Follows to the end, and compares with the lists. */
async function follow(t: ExecutionContext, { get, client }: Scene): Promise<void> {
  while ((await client.step(2)) === 'more') t.is(client.position, 4);
  const listed = await listedCopy(get, BUDGET);
  t.deepEqual(client.copy(), listed?.copy);
}

async function startsAgain(t: ExecutionContext, scene: Scene): Promise<void> {
  await t.throwsAsync(scene.client.step(2), { message: REFUSED });
  scene.client.startAgain();
  await follow(t, scene);
}

const payees = ({ client }: Scene) => Object.keys(client.copy().payees);

test('a version learns an event type: what it does about old events is not missed', async t => {
  const scene = await begin(t);
  const { system } = scene;
  const unknown = (json: string) => json.replace('payee.added', 'payee.invented');
  system.deploy(3, { eventLog: readOtherwise(system.eventLog, unknown) });
  await system.until(({ active }) => active === 'g1');
  await follow(t, scene);
  t.deepEqual(payees(scene), ['id a', 'id b']);
  system.deploy(4);
  await system.until(({ active }) => active === 'g2');
  await startsAgain(t, scene);
  t.deepEqual(payees(scene), ['id a', 'id b', 'id disputed']);
});

test('an event is skipped in a new build alone: its effect does not stay in the copy', async t => {
  const scene = await begin(t);
  const { system } = scene;
  system.deploy(4);
  await system.until(({ active }) => active === 'g1');
  await follow(t, scene);
  t.deepEqual(payees(scene), ['id a', 'id b', 'id disputed']);
  const invalid = (json: string) => json.replace('"schemaversion":1', '"schemaversion":9');
  system.deploy(5, { eventLog: readOtherwise(system.eventLog, invalid) });
  const { heads } = system.collectionsOf('g2');
  while (!(await heads.findOne({ _id: BUDGET }))?.held) await sleep(25);
  t.is(await scene.client.step(2), 'up to date');
  const options = { missing: false, limits: LIMITS, now: new Date() };
  const head = await skipHeld(system.openStore('g2'), BUDGET, options);
  t.like(head, { sequence: 4, held: null, skipped: [[3, 3]] });
  await system.until(({ active }) => active === 'g2');
  await startsAgain(t, scene);
  t.deepEqual(payees(scene), ['id a', 'id b']);
});

test('an event is skipped in the generation that answers: the cursor goes on, also in the next one', async t => {
  const scene = await begin(t);
  const { system } = scene;
  const eventOf = eventMaker(BUDGET);
  const deployed = system.deploy(4);
  await system.until(({ active }) => active === 'g1');
  await follow(t, scene);
  await system.append([eventOf(payee('a'), { sequence: 5 }), eventOf(payee('c'), { sequence: 6 })]);
  const { heads } = system.collectionsOf('g1');
  while (!(await heads.findOne({ _id: BUDGET }))?.held) await sleep(25);
  const options = { missing: false, limits: LIMITS, now: new Date() };
  t.like(await skipHeld(system.openStore('g1'), BUDGET, options), { sequence: 6, held: null });
  t.is(await scene.client.step(1), 'up to date');
  t.deepEqual(payees(scene), ['id a', 'id b', 'id c', 'id disputed']);
  await deployed.stop();
  system.deploy(5);
  await system.until(({ active }) => active === 'g2');
  t.is(await scene.client.step(1), 'up to date');
  t.is(scene.client.position, 6);
});

/** A log in which the disputed event has other words. */
function readOtherwise(eventLog: EventLog, words: (json: string) => string): EventLog {
  const reread = (record: LogRecord): LogRecord => {
    const json = Buffer.from(record.value ?? []).toString();
    return json.includes('disputed') ? { ...record, value: Buffer.from(words(json)) } : record;
  };
  return {
    ...eventLog,
    async *scan(range, signal) {
      for await (const records of eventLog.scan(range, signal)) yield records.map(reread);
    },
    subscribe: (subscriber, options) =>
      eventLog.subscribe(
        {
          assigned: (...given) => subscriber.assigned(...given),
          ready: (...given) => subscriber.ready?.(...given) ?? null,
          damaged: async (...given) => subscriber.damaged?.(...given),
          revoked: partition => subscriber.revoked(partition),
          batch: batch => subscriber.batch({ ...batch, records: batch.records.map(reread) }),
        },
        options,
      ),
  };
}
