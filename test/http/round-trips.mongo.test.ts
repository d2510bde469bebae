// The cost of a request for the database: few round trips, as many for another user's budget as for an absent one.
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, budget, category, group, row, space } from '../model/scene.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let client: MongoClient;
let served: Served;
let token: string;
/** Of a user with as many spaces and budgets. */
let manyToken: string;
const MANY = 150;
const SUMS = '&group_by=categoryGroup&start_date=2015-01-02';
let started: CommandStartedEvent[] = [];
let modelName: string;

test.before(async () => {
  client = await new MongoClient(mongo.url, { monitorCommands: true }).connect();
  client.on('commandStarted', event => started.push(event));
  const writer = await serve(mongo, 'http_round_trips');
  const { project } = writer.model;
  await project('s1', ...space(['anna']));
  await project('s2', ...space(['ben']));
  const more = Array.from({ length: 9 }, (_, index) => row(`t1${index}`, { date: '2023-12-05' }));
  await project('own', budget('s1'), account('home'), row('t1', { date: '2023-12-05' }));
  await project('full', budget('s1'), account('home'), ...more);
  await project('bens', budget('s2'));
  const many = Array.from({ length: MANY }, (_, index) => index);
  await project(
    ...(['large', budget('s1'), group('needs', 'envelope')] as const),
    ...many.map(index => category(`c${index}`, 'needs')),
    ...many.map(index => account(`a${index}`)),
    ...many.map(index => row(`t2${index}`, { accountId: `a${index}`, date: '9000-01-02' })),
  );
  for (const index of many) {
    await project(`sm${index}`, ...space(['carl']));
    await project(`bm${index}`, budget(`sm${index}`));
  }
  modelName = writer.db.databaseName;
  const readModel = client.db(modelName);
  await writer.stop();
  served = await serve(mongo, 'http_round_trips_access', { readModel, empty: true });
  token = await served.issue('anna');
  manyToken = await served.issue('carl');
});

mongo.beforeStop(async () => {
  await served?.stop();
  await client?.close();
});

/** Returns the commands that a request sends to the read model, such as `find registry`. */
async function commandsOf(path: string, headers: Record<string, string> = {}) {
  started = [];
  const { status, headers: sent } = await served.api(path, { token, headers });
  const commands = started.map(
    ({ commandName, command }) => `${commandName} ${command[commandName]}`,
  );
  return { status, commands, etag: sent.get('etag') ?? '' };
}

const BEFORE = ['aggregate g1_heads'];

test.serial(
  'The first request also waits for the primary to catch up, and reads which generation is active',
  async t => {
    const { commands } = await commandsOf('/accounts?budget_id=own');
    t.deepEqual(commands, ['find registry', 'find registry', ...BEFORE, 'find g1_accounts']);
  },
);

test.serial(
  'A request reads the registry and one head within the reach of its user in one command, then the documents',
  async t => {
    const { status, commands } = await commandsOf('/transactions?budget_id=own&limit=1000');
    t.is(status, 200);
    t.deepEqual(commands, [...BEFORE, 'find g1_rows']);
    t.deepEqual((await commandsOf('/months/2024-01?budget_id=own')).commands, [
      ...BEFORE,
      'find g1_years',
    ]);
    t.deepEqual((await commandsOf('/budgets')).commands, ['find registry', 'aggregate g1_heads']);
    const { commands: months } = await commandsOf(
      '/months?budget_id=own&start_month=2015-01&end_month=2024-12',
    );
    t.deepEqual(months, [...BEFORE, 'find g1_years']);
  },
);

test.serial(
  'Envelopes of any months take one query of each kind, balances of whole months read no days',
  async t => {
    const sorted = async (path: string) => (await commandsOf(path)).commands.slice(1).sort();
    const kinds = ['find g1_categories', 'find g1_categoryMonths', 'find g1_groups'];
    for (const range of [
      'start_month=2024-01&end_month=2024-01',
      'start_month=9000-01&end_month=9004-12',
    ]) {
      t.deepEqual(await sorted(`/category-months?budget_id=own&${range}`), kinds);
    }
    const balances = '/balances?budget_id=own&start_date=2015-01-01';
    const sums = ['find g1_accountMonths', 'find g1_accounts'];
    t.deepEqual(await sorted(`${balances}&end_date=2024-01-31&interval=month`), sums);
    // Days only of months that have rows.
    t.deepEqual(await sorted(`${balances}&end_date=2016-01-30`), sums);
    t.deepEqual(await sorted(`${balances}&end_date=2023-12-30&interval=month`), [
      'find g1_accountDays',
      ...sums,
    ]);
  },
);

test.serial(
  'Sums without crossing filters read no rows of whole months, and no more than the rows of other days',
  async t => {
    const sorted = async (query: string) =>
      (await commandsOf(`/sums?budget_id=own&${query}`)).commands.slice(1).sort();
    const whole = ['find g1_accounts', 'find g1_monthSums'];
    for (const more of ['', '&interval=month', '&transfers=include', '&on_budget=true']) {
      const dates = '&start_date=2015-01-01&end_date=2024-12-31';
      t.deepEqual(await sorted(`group_by=account${dates}${more}`), whole, more);
    }
    t.deepEqual(await sorted('group_by=none'), ['find g1_monthSums']);
    t.deepEqual(await sorted('group_by=category'), ['find g1_monthSums']);
    t.deepEqual(await sorted('group_by=account&account_id=home'), ['find g1_accounts', ...whole]);
    t.deepEqual(await sorted('group_by=categoryGroup'), [
      'find g1_categories',
      'find g1_monthSums',
    ]);
    t.deepEqual(await sorted('group_by=payee&start_date=2015-01-02&end_date=2024-12-30'), [
      'aggregate g1_rows',
      'aggregate g1_rows',
      'find g1_monthSums',
    ]);
    t.deepEqual(await sorted('group_by=payee&account_id=home'), [
      'aggregate g1_rows',
      'find g1_accounts',
    ]);
    const [, sums] = started.map(({ command }) => command);
    t.is(sums?.readConcern.level, 'snapshot');
    t.true(sums?.maxTimeMS > 0);
  },
);

test.serial('A search reads memo blocks and names, and rows only where those match', async t => {
  const { status, commands } = await commandsOf('/transactions?budget_id=own&search=nothing');
  t.is(status, 200);
  const looked = ['find g1_categories', 'find g1_memoBlocks', 'find g1_payees'];
  t.deepEqual(
    [...commands.slice(0, BEFORE.length), ...commands.slice(BEFORE.length).sort()],
    [...BEFORE, ...looked],
  );
});

test.serial('A single transaction takes one look-up, also where the client has it', async t => {
  const path = '/transactions/t1?budget_id=own';
  const single = await commandsOf(path);
  t.deepEqual(single.commands, [...BEFORE, 'find g1_rows']);
  const known = await commandsOf(path, { 'if-none-match': single.etag });
  t.deepEqual([known.status, known.commands], [304, [...BEFORE, 'find g1_rows']]);
  t.deepEqual((await commandsOf(path)).commands, BEFORE);
  const absent = await commandsOf('/transactions/t2?budget_id=own');
  t.deepEqual([absent.status, absent.commands], [404, [...BEFORE, 'find g1_rows']]);
});

test.serial('A small answer that has not changed is read once', async t => {
  t.deepEqual((await commandsOf('/payees?budget_id=own')).commands.length, 2);
  t.deepEqual((await commandsOf('/payees?budget_id=own')).commands, BEFORE);
  t.deepEqual((await commandsOf('/payees?budget_id=own&limit=1')).commands.length, 2);
});

test.serial('A page of transactions that is asked for again is read twice', async t => {
  const ask = async () => (await commandsOf('/transactions?budget_id=own&limit=7')).commands;
  t.deepEqual(await ask(), [...BEFORE, 'find g1_rows']);
  t.deepEqual(await ask(), [...BEFORE, 'find g1_rows']);
  t.deepEqual(await ask(), BEFORE);
});

test.serial('A year that has not changed is read once for all of its months', async t => {
  t.deepEqual((await commandsOf('/months/2030-02?budget_id=own')).commands.length, 2);
  t.deepEqual((await commandsOf('/months/2030-02?budget_id=own')).commands, BEFORE);
  t.deepEqual((await commandsOf('/months/2030-03?budget_id=own')).commands, BEFORE);
  t.deepEqual((await commandsOf('/months/2031-03?budget_id=own')).commands.length, 2);
});

test.serial('Requests at the same time share the first command', async t => {
  started = [];
  const path = '/transactions?budget_id=own&limit=';
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => served.api(`${path}${101 + index}`, { token })),
  );
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.true(started.filter(({ commandName }) => commandName === 'aggregate').length < 20);
  t.is(started.filter(({ commandName }) => commandName === 'find').length, 20);
});

test.serial('Single transactions asked for at the same time share their query too', async t => {
  started = [];
  const ids = Array.from({ length: 20 }, (_, index) => `t1${index}`);
  const answers = await Promise.all(
    ids.map(id => served.api(`/transactions/${id}?budget_id=full`, { token })),
  );
  for (const [index, { status, body }] of answers.entries()) {
    t.deepEqual([status, body.id], index < 9 ? [200, ids[index]] : [404, undefined], ids[index]);
  }
  t.true(started.filter(({ commandName }) => commandName === 'find').length < 20);
});

test.serial(
  'Every query after the first reads from the same snapshot, with a time limit',
  async t => {
    await commandsOf('/transactions?budget_id=own&limit=50');
    const [reach, read] = started.map(({ command }) => command);
    t.is(reach?.readConcern.level, 'snapshot');
    t.is(read?.readConcern.level, 'snapshot');
    t.truthy(read?.readConcern.atClusterTime);
    for (const command of [reach, read]) t.true(command?.maxTimeMS > 0);
  },
);

test.serial('304 is answered before documents are read', async t => {
  const { etag } = await commandsOf('/transactions?budget_id=own');
  const { status, commands } = await commandsOf('/transactions?budget_id=own', {
    'if-none-match': etag,
  });
  t.is(status, 304);
  t.deepEqual(commands, BEFORE);
});

test.serial('More documents than 101 come in one reply', async t => {
  const commandNames = async (path: string) => {
    const { status } = await commandsOf(`${path}?budget_id=large${path === '/sums' ? SUMS : ''}`);
    t.is(status, 200, path);
    return started.map(({ commandName }) => commandName);
  };
  for (const path of ['/categories', '/accounts', '/payees', '/changes', '/sums']) {
    t.false((await commandNames(path)).includes('getMore'), path);
  }
  started = [];
  const { body } = await served.api('/budgets', { token: manyToken });
  t.is(body.budgets.length, MANY);
  t.false(
    started.some(({ commandName }) => commandName === 'getMore'),
    '/budgets',
  );
});

test.serial("404: another user's budget causes the same commands as an absent one", async t => {
  const absent = await commandsOf('/accounts?budget_id=nowhere');
  const asked = started.map(({ command }) => JSON.stringify(command.pipeline ?? command.filter));
  const foreign = await commandsOf('/accounts?budget_id=bens');
  const askedForeign = started.map(({ command }) =>
    JSON.stringify(command.pipeline ?? command.filter),
  );
  t.is(absent.status, 404);
  t.deepEqual(foreign, absent);
  t.deepEqual(
    askedForeign.map(text => text.replace('bens', 'nowhere')),
    asked,
  );
});

test.serial(
  "404: the database examines as much for another user's budget as for an absent one",
  async t => {
    const examined = async (budgetId: string) => {
      await commandsOf(`/accounts?budget_id=${budgetId}`);
      const aggregate = started.find(({ commandName }) => commandName === 'aggregate')?.command;
      const { pipeline } = aggregate ?? {};
      const plan = await served.db.client
        .db(modelName)
        .collection('g1_heads')
        .aggregate(pipeline)
        .explain('executionStats');
      const lookup = plan.stages.find((stage: Document) => '$lookup' in stage);
      const { totalDocsExamined, totalKeysExamined, indexesUsed } = lookup;
      return { totalDocsExamined, totalKeysExamined, indexesUsed };
    };
    const absent = await examined('nowhere');
    t.deepEqual(absent.indexesUsed, ['budget.spaceId_1']);
    t.deepEqual(await examined('bens'), absent);
  },
);

test.serial('Refusals before the budget read nothing', async t => {
  for (const path of ['/accounts', '/accounts?budget_id=own&x=1', '/nothing']) {
    const { commands } = await commandsOf(path);
    t.deepEqual(commands, [], path);
  }
});
