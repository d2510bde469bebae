// A client that goes away: its query stops in the database, and it no longer waits for a position.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { Document } from 'mongodb';
import { test } from '../helpers/file-test.ts';
import { account, budget, payee, row, space } from '../model/scene.ts';
import { useServed } from './use-served.ts';

let token: string;
/** What requests wait for before their token is counted, and how many do. */
let gate: Promise<void> | null = null;
let atGate = 0;
const observed: { route: string; status: number }[] = [];

/** A query of the list takes their product, about 4.5 s; one that is too slow is ended after 5 s. */
const PAYEES = 100;
const EACH_MS = 45;
/** Less than the whole query; more than the database takes to notice a closed connection. */
const STOPPED_MS_MAX = 3500;
/** For what happens at once on a fast machine. Far less than a wait, which is patient. */
const SOON_MS_MAX = 60_000;

const served = useServed(
  test,
  {
    name: 'http_abandoned',
    observe: one => observed.push(one),
    patient: true,
    meter: limiter => ({
      ...limiter,
      async countToken(...counted) {
        atGate += 1;
        await gate;
        return await limiter.countToken(...counted);
      },
    }),
  },
  async () => {
    const { project, store } = served.model;
    await project('s1', ...space(['anna']));
    const payees = Array.from({ length: PAYEES }, (_, index) => payee(`p${index}`));
    await project('b1', budget('s1'), account('home'), row('t1'), ...payees);
    // The database itself takes its time: a view that sleeps at each document takes the collection's place.
    const name = store.collections.payees.collectionName;
    await store.collections.payees.rename('real_payees');
    const body = `function () { sleep(${EACH_MS}); return true; }`;
    const slow = { $expr: { $function: { body, args: ['$_id'], lang: 'js' } } };
    await served.db.createCollection(name, { viewOn: 'real_payees', pipeline: [{ $match: slow }] });
    token = await served.issue('anna');
  },
);

/** The queries of payees that run in the database. */
async function running(): Promise<Document[]> {
  const stages = [{ $currentOp: {} }, { $match: { 'command.$db': served.db.databaseName } }];
  const found = await served.mongo.client.db('admin').aggregate(stages).toArray();
  return found.filter(({ command }) => JSON.stringify(command).includes('payees'));
}

async function until(isSo: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const endsAtMs = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > endsAtMs) return false;
    await sleep(20);
  }
  return true;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a POST. */
  readonly body?: string;
}

/** Sends a request and returns a function that cuts its connection. */
function send(path: string, { headers = {}, body }: Sent = {}): () => void {
  const sent = request(served.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    agent: false,
  });
  sent.on('error', () => {});
  sent.end(body);
  return () => sent.destroy();
}

test.serial('its query stops in the database, and the log says 499', async t => {
  const cut = send('/api/v1/payees?budget_id=b1');
  t.true(await until(async () => (await running()).length > 0, SOON_MS_MAX), 'the query runs');
  cut();
  t.true(await until(async () => (await running()).length === 0, STOPPED_MS_MAX), 'it stops');
  t.true(await until(() => observed.length > 0, SOON_MS_MAX));
  t.deepEqual(
    observed.map(({ route, status }) => [route, status]),
    [['/api/v1/payees', 499]],
  );
  t.deepEqual(
    served.lines.filter(({ level }) => level >= 40),
    [],
  );
});

test.serial('other requests of the same moment are answered', async t => {
  const path = '/accounts?budget_id=b1';
  const cut = send('/api/v1/payees?budget_id=b1');
  const asked = served.api(path, { token });
  t.true(await until(async () => (await running()).length > 0, SOON_MS_MAX));
  cut();
  t.is((await asked).status, 200);
  t.is((await served.api(path, { token })).status, 200);
  t.true(await until(async () => (await running()).length === 0, STOPPED_MS_MAX));
});

const WAIT = {
  path: '/api/v1/accounts?budget_id=b1',
  headers: { 'x-projection-wait-for': '9999', 'x-projection-wait-seconds': '10' },
};

test.serial('its wait for a position ends', async t => {
  const before = observed.length;
  const cut = send(WAIT.path, WAIT);
  t.true(await until(() => served.bounds.waits.taken() === 1, SOON_MS_MAX));
  t.is(observed.length, before);
  cut();
  t.true(await until(() => observed.length > before, SOON_MS_MAX));
  t.is(observed.at(-1)?.status, 499);
});

/** Sends a request and cuts its connection before its token is counted; returns once it has ended here. */
async function cutBeforeReading(t: ExecutionContext, sendIt: () => () => void): Promise<void> {
  const before = observed.length;
  let open = () => {};
  gate = new Promise(resolve => {
    open = resolve;
  });
  atGate = 0;
  const cut = sendIt();
  t.true(await until(() => atGate === 1, SOON_MS_MAX));
  cut();
  await sleep(200);
  open();
  gate = null;
  t.true(await until(() => observed.length > before, SOON_MS_MAX));
}

test.serial('its wait ends also where it had gone away before the first reading', async t => {
  await cutBeforeReading(t, () => send(WAIT.path, WAIT));
  t.is(observed.at(-1)?.status, 499);
  t.is(served.bounds.waits.taken(), 0);
});

/** Asks for a tool, and returns a function that cuts the connection. */
function callTool(): () => void {
  const params = { name: 'list_transactions', arguments: { budget_id: 'b1', search: 'x' } };
  return send('/mcp', {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}

test.serial('it keeps no place where it had gone away before its body was read', async t => {
  await cutBeforeReading(t, callTool);
  t.is(served.bounds.requests.taken(), 0);
});

test.serial('a query that a tool asks for stops too', async t => {
  const before = observed.length;
  const cut = callTool();
  t.true(await until(async () => (await running()).length > 0, SOON_MS_MAX), 'the query runs');
  cut();
  t.true(await until(async () => (await running()).length === 0, STOPPED_MS_MAX), 'it stops');
  t.true(await until(() => observed.length > before, SOON_MS_MAX));
  t.is(observed.at(-1)?.status, 499);
});
