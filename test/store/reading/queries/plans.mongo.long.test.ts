// Every query that readers send has an index that leads to its documents in their order, and a bound on their number.
import test from 'ava';
import { type Document, MongoClient } from 'mongodb';
import { useMongo } from '../../../helpers/mongo.ts';
import { type Scene, startScene } from '../../../pages/settings/settings-scene.ts';
import { isBounded, planFaults, QUERY_COMMANDS, type SentQuery, shapeOf } from './check-query.ts';
import { askEverything, projectHistory, runCommands } from './query-traffic.ts';

const mongo = useMongo(test);
let client: MongoClient;
let scene: Scene;
const sent = new Map<string, SentQuery>();
const others = new Set<string>();

/** Commands that look for no documents. */
const NO_QUERIES = [
  'insert',
  'commitTransaction',
  'abortTransaction',
  'getMore',
  'killCursors',
  'endSessions',
  'ping',
];

interface Exemption {
  /** What the shape of the query begins with, after the name of its generation is left out. */
  readonly shape: RegExp;
  readonly why: string;
}

const NO_PLAN: readonly Exemption[] = [
  {
    shape: /\$changeStream/,
    why: 'reads the oplog from a point in time on, where no index exists',
  },
  {
    shape: /^find "(accounts|groups|categories)" .*"changed"/,
    why: 'a budget has few of them: sorting costs less than an index that every change must keep',
  },
  { shape: /^find "tokens" \{\}/, why: 'an operator lists all tokens, and waits for that alone' },
  {
    shape: /^(find "decisions" \{\}|aggregate "decisions" )/,
    why: 'all of the few decisions, which operators make by hand',
  },
];

const NO_BOUND: readonly Exemption[] = [
  ...NO_PLAN,
  {
    shape: /^aggregate "heads" .*\$lookup/,
    why: "a user's spaces and budgets, served without pages",
  },
  {
    shape: /^find "tokens" \{"owner"/,
    why: 'the tokens of one person, who makes at most 200 a day',
  },
  {
    shape: /^find "(accounts|categories|groups)" \{"set":"string"/,
    why: "all of a budget's accounts or categories: served whole, sorted and paged here",
  },
  {
    shape: /^find "(categoryMonths|accountMonths)" \{"set":"string"/,
    why: 'one document for each category or account and year: sums of all of them are served',
  },
  {
    shape: /^find "(years|accountMonths|categoryMonths)" .*"count"/,
    why: 'the numbers of rows of each year, of which a budget has at most some hundreds',
  },
  {
    shape: /^find "monthSums"/,
    why: 'one document for each month between two dates, or a few: sums of all of them are served',
  },
  {
    shape: /^aggregate "rows" .*\$group/,
    why: 'rows that no stored sums answer for are added up there; a limit of time ends it',
  },
  { shape: /^find "memoBlocks"/, why: 'ends after enough matches; a search may match anywhere' },
];

test.before(async t => {
  t.timeout(900_000);
  client = await new MongoClient(mongo.url, { monitorCommands: true }).connect();
  scene = await startScene(mongo, {
    client,
    env: () => ({
      RATE_LIMIT_IP_PER_MINUTE: '1000000',
      RATE_LIMIT_TOKEN_READS_PER_MINUTE: '1000000',
      RATE_LIMIT_USER_PER_MINUTE: '1000000',
      RATE_LIMIT_USER_PER_DAY: '1000000',
    }),
  });
  await projectHistory(scene);
  client.on('commandStarted', ({ commandName: name, databaseName: database, command }) => {
    if (!QUERY_COMMANDS.includes(name)) others.add(name);
    else
      sent.set(`${database} ${shapeOf({ name, database, command })}`, { name, database, command });
  });
  await askEverything(scene);
  await runCommands(scene);
  client.removeAllListeners('commandStarted');
});

mongo.beforeStop(async () => {
  await scene?.stop();
  await client?.close();
});

/** The query as the exemptions name it: command, collection without its generation, filter or stages. */
function nameOf({ name, command }: SentQuery): string {
  const collection = String(command[name]).replace(/^g\d+_/, '');
  const asked = command.filter ?? command.query ?? command.pipeline ?? command.updates ?? {};
  const shape = shapeOf({
    name: '',
    database: '',
    command: { asked, projection: command.projection },
  });
  return `${name} "${collection}" ${shape.replace(/^ \{"asked":/, '')}`;
}

const isExempt = (query: SentQuery, exemptions: readonly Exemption[]) =>
  exemptions.some(({ shape }) => shape.test(nameOf(query)));

test('the requests make every kind of query, and no command that is not known here', t => {
  const collections = new Set([...sent.values()].map(({ name, command }) => command[name]));
  t.true(sent.size > 60, `${sent.size} shapes`);
  for (const name of ['tokens', 'sessions', 'limits_user', 'limits_address', 'sign_in_links']) {
    t.true(collections.has(name), name);
  }
  for (const kind of ['heads', 'rows', 'memoBlocks', 'years', 'tombstones', 'accountDays']) {
    t.true(collections.has(`g1_${kind}`), kind);
  }
  t.deepEqual(
    [...others].filter(name => !NO_QUERIES.includes(name)),
    [],
  );
});

test('no query scans a collection or sorts in memory', async t => {
  const found: string[] = [];
  for (const query of sent.values()) {
    if (isExempt(query, NO_PLAN)) continue;
    const faults = await planFaults(client.db(query.database), query);
    found.push(...faults.map(fault => `${fault}: ${nameOf(query)}`));
  }
  t.deepEqual([...new Set(found)], []);
});

test('every query has a limit, or keys that bound it', t => {
  const unbounded = [...sent.values()].filter(
    query => !isBounded(query) && !isExempt(query, NO_BOUND),
  );
  t.deepEqual([...new Set(unbounded.map(nameOf))], []);
});

test('every exemption is of a query that is sent', t => {
  for (const { shape, why } of NO_BOUND) {
    t.true(
      [...sent.values()].some(query => shape.test(nameOf(query))),
      why,
    );
  }
});

test('what the check refuses: scans, sorts in memory, and queries without a bound', async t => {
  const database = scene.readModel.databaseName;
  const rows = 'g1_rows';
  const ask = (command: Document): SentQuery => ({
    name: Object.keys(command)[0] ?? '',
    database,
    command,
  });
  const faultsOf = (command: Document) => planFaults(client.db(database), ask(command));
  t.deepEqual(await faultsOf({ find: rows, filter: { onBudget: true } }), [
    'scans a whole collection',
    'scans a whole collection',
  ]);
  const sorted = await faultsOf({ find: rows, filter: { _id: 'a' }, sort: { changed: 1 } });
  t.deepEqual(sorted, []);
  const set = { set: 'a' };
  t.true(
    (await faultsOf({ find: rows, filter: set, sort: { json: 1 } })).includes('sorts in memory'),
  );
  t.true(
    (await faultsOf({ find: 'nothing', filter: set })).includes(
      'asks a collection that is not there',
    ),
  );
  t.false(isBounded(ask({ find: rows, filter: set })));
  t.false(isBounded(ask({ find: rows, filter: { _id: { $gt: 'a' } } })));
  t.true(isBounded(ask({ find: rows, filter: { _id: { $in: ['a'] } } })));
  t.true(isBounded(ask({ find: rows, filter: set, limit: 3 })));
});
