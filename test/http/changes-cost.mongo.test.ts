// What a page of /changes costs the database: in proportion to what it returns, nothing when nothing is new.
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { formatCursor, parseCursor } from '../../src/http/routes/changes.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, budget, category, group, label, payee, row, space } from '../model/scene.ts';
import { placeChanges } from './change-places.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let client: MongoClient;
let served: Served;
let token: string;
let modelName: string;
let started: CommandStartedEvent[] = [];

/** A bulk change: of so many rows that they fill many pages. */
const ROWS = 2500;
const BULK = 30;
const LIMIT = 10;

test.before(async () => {
  client = await new MongoClient(mongo.url, { monitorCommands: true }).connect();
  client.on('commandStarted', event => started.push(event));
  const writer = await serve(mongo, 'http_changes_cost');
  const payees = Array.from({ length: 600 }, (_, index) => `p${index}`);
  const rows = Array.from({ length: ROWS }, (_, index) => `t${index}`);
  await writer.model.project('s1', ...space(['anna']));
  await writer.model.project(
    'own',
    ...[budget('s1'), account('home'), group('g1'), category('c1', 'g1'), label('l1')],
    ...payees.map(id => payee(id)),
    ...rows.map(id => row(id)),
  );
  await placeChanges(writer.model, 'own', {
    sequence: 40,
    changed: {
      accounts: { home: BULK },
      groups: { g1: 2 },
      categories: { c1: 3 },
      payees: Object.fromEntries(payees.map(id => [id, 4])),
      labels: { l1: 5 },
      rows: Object.fromEntries(rows.map((id, index) => [id, index % 5 === 0 ? 6 : BULK])),
    },
    tombstones: Array.from({ length: 300 }, (_, index) => ({
      kind: 'transaction',
      thingId: `gone${index}`,
      changed: 35,
    })),
  });
  modelName = writer.db.databaseName;
  const readModel = client.db(modelName);
  await writer.stop();
  served = await serve(mongo, 'http_changes_cost_access', { readModel, empty: true });
  token = await served.issue('anna');
  await served.api('/changes?budget_id=own', { token });
});

mongo.beforeStop(async () => {
  await served?.stop();
  await client?.close();
});

async function read(query: string, headers: Record<string, string> = {}) {
  started = [];
  const answer = await served.api(`/changes?budget_id=own${query}`, { token, headers });
  const commands = started.map(
    ({ commandName, command }) => `${commandName} ${command[commandName]}`,
  );
  return { ...answer, commands };
}

/** The cursor at a place (`changed.kind.id`), of a client that began at position 1. */
function cursorAt(cursor: string, place: string): string {
  const given = parseCursor(cursor);
  if (!given) throw new Error(`Expected a cursor, got ${cursor}`);
  const [, changed, kind, id = ''] = /^(\d+)\.(\d)\.(.*)$/.exec(place) ?? [];
  const at = { changed: Number(changed), kind: Number(kind), id };
  return encodeURIComponent(formatCursor({ ...given, base: 1, place: at }));
}

/** Documents and keys that the store looks at, by collection, for the queries of the last request. */
async function examined(): Promise<Record<string, { docs: number; keys: number }>> {
  const found: Record<string, { docs: number; keys: number }> = {};
  const finds = started.flatMap(({ commandName, command }) =>
    commandName === 'find' ? command : [],
  );
  for (const { find, filter, projection = {}, sort = {}, hint = {}, limit = 0 } of finds) {
    const plan: Document = await served.db.client.db(modelName).command({
      explain: defined({ find, filter, projection, sort, hint, limit }),
      verbosity: 'executionStats',
    });
    const { totalDocsExamined, totalKeysExamined } = plan.executionStats;
    found[find] = { docs: totalDocsExamined, keys: totalKeysExamined };
  }
  return found;
}

/** The database refuses a field that is undefined. */
function defined(command: Document): Document {
  return Object.fromEntries(Object.entries(command).filter(([, value]) => value !== undefined));
}

test.serial('nothing new: no document is read beyond the look-up of the reach', async t => {
  const { body } = await read('');
  const end = cursorAt(body.cursor, '40.7.');
  const { status, headers, commands } = await read(`&cursor=${end}`);
  t.is(status, 200);
  t.deepEqual(commands, ['aggregate g1_heads']);
  const etag = headers.get('etag') ?? '';
  const again = await read(`&cursor=${end}`, { 'if-none-match': etag });
  t.is(again.status, 304);
  t.deepEqual(again.commands, ['aggregate g1_heads']);
});

test.serial(
  'a wait without news reads as it begins, once it hears of changes, and at its end',
  async t => {
    const { body } = await read('');
    const { status } = await read(`&cursor=${cursorAt(body.cursor, '40.7.')}&wait=1`);
    t.is(status, 200);
    const reads = started.filter(
      ({ command: { aggregate, pipeline } }) =>
        aggregate === 'g1_heads' && pipeline[0].$changeStream === undefined,
    );
    t.is(reads.length, 3);
  },
);

for (const [title, place] of [
  ['the first page', null],
  ['in the midst of payees', '4.3.p30'],
  ['in the midst of the rows of a bulk change', `${BULK}.5.t2000`],
  ['in the midst of tombstones', '35.6.transaction/gone200'],
] as const) {
  test.serial(`each kind is read by its index, up to the limit: ${title}`, async t => {
    const { body } = await read('&limit=1');
    const cursor = place === null ? '' : `&cursor=${cursorAt(body.cursor, place)}`;
    const page = await read(`&limit=${LIMIT}${cursor}`);
    t.is(page.status, 200);
    const looked = await examined();
    for (const [collection, { docs, keys }] of Object.entries(looked)) {
      t.true(docs <= LIMIT + 2, `${collection}: ${docs} documents`);
      t.true(keys <= LIMIT + 4, `${collection}: ${keys} keys`);
    }
    const finds = Object.keys(looked).length;
    // Each kind once, and what the tombstones of the page name.
    t.true(finds >= 2 && finds <= 7, Object.keys(looked).join(' '));
  });
}

test.serial('a bulk change comes as pages, nothing missed and nothing twice', async t => {
  const { body: first } = await read('&limit=1');
  const seen = new Set<string>();
  let cursor = cursorAt(first.cursor, `${BULK - 1}.7.`);
  for (let hasMore = true; hasMore; ) {
    const { body } = await read(`&limit=97&cursor=${cursor}`);
    for (const { id } of body.transactions) {
      t.false(seen.has(id), id);
      seen.add(id);
    }
    cursor = encodeURIComponent(body.cursor);
    hasMore = body.has_more;
  }
  t.is(seen.size, (ROWS * 4) / 5);
});

test.serial('every query is read at the instant of the first one, and bounded in time', async t => {
  await read('&limit=3');
  const [reach, ...reads] = started.map(({ command }) => command);
  const instants = new Set(reads.map(({ readConcern }) => String(readConcern.atClusterTime)));
  t.is(reach?.readConcern.level, 'snapshot');
  t.is(instants.size, 1);
  t.false(instants.has('undefined'));
  for (const command of reads) t.true(command.maxTimeMS > 0);
});
