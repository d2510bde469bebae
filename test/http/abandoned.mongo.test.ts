// A client that goes away: its query stops in the database, and it no longer waits for a position.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from 'mongodb';
import { test } from '../helpers/file-test.ts';
import { account, budget, payee, row, space } from '../model/scene.ts';
import { useServed } from './use-served.ts';

let token: string;
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
  { name: 'http_abandoned', observe: one => observed.push(one), patient: true },
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

/** Sends a request and returns a function that cuts its connection. */
function send(path: string, headers: Readonly<Record<string, string>> = {}): () => void {
  const sent = request(`${served.origin}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    agent: false,
  });
  sent.on('error', () => {});
  sent.end();
  return () => sent.destroy();
}

test.serial('its query stops in the database, and the log says 499', async t => {
  const cut = send('/payees?budget_id=b1');
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
  const cut = send('/payees?budget_id=b1');
  const asked = served.api(path, { token });
  t.true(await until(async () => (await running()).length > 0, SOON_MS_MAX));
  cut();
  t.is((await asked).status, 200);
  t.is((await served.api(path, { token })).status, 200);
  t.true(await until(async () => (await running()).length === 0, STOPPED_MS_MAX));
});

test.serial('its wait for a position ends', async t => {
  const before = observed.length;
  const headers = { 'x-projection-wait-for': '9999', 'x-projection-wait-seconds': '10' };
  const cut = send('/accounts?budget_id=b1', headers);
  t.true(await until(() => served.bounds.waits.taken() === 1, SOON_MS_MAX));
  t.is(observed.length, before);
  cut();
  t.true(await until(() => observed.length > before, SOON_MS_MAX));
  t.is(observed.at(-1)?.status, 499);
});
