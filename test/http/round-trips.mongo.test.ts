// What a request costs the database: few round trips, and the same for another's budget as for none.
import test from 'ava';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { startMongo, type TestMongo } from '../helpers/mongo.ts';
import { writeBudget, writeSpace } from '../read-store/write-model.ts';
import { type Served, serve } from './serve.ts';

let mongo: TestMongo;
let client: MongoClient;
let served: Served;
let token: string;
let started: CommandStartedEvent[] = [];
let modelName: string;

test.before(async () => {
  mongo = await startMongo();
  client = await new MongoClient(mongo.url, { monitorCommands: true }).connect();
  client.on('commandStarted', event => started.push(event));
  const writer = await serve(mongo, 'http_round_trips');
  await writeSpace(writer.model, 's1', ['anna']);
  await writeSpace(writer.model, 's2', ['ben']);
  await writeBudget(writer.model, { id: 'own', spaceId: 's1', accounts: [{ id: 'a1' }] });
  await writeBudget(writer.model, { id: 'bens', spaceId: 's2' });
  modelName = writer.db.databaseName;
  const readModel = client.db(modelName);
  await writer.stop();
  served = await serve(mongo, 'http_round_trips_access', { readModel, empty: true });
  token = await served.issue('anna');
});

test.after.always(async () => {
  await served?.stop();
  await client?.close();
  await mongo?.stop();
});

/** The commands that a request sends to the read model, as `find registry`. */
async function commandsOf(path: string, headers: Record<string, string> = {}) {
  started = [];
  const { status, headers: sent } = await served.api(path, { token, headers });
  const commands = started.map(
    ({ commandName, command }) => `${commandName} ${command[commandName]}`,
  );
  return { status, commands, etag: sent.get('etag') ?? '' };
}

const BEFORE = ['find registry', 'aggregate g1_heads'];

test.serial(
  'A request reads the registry, one head within the reach of its user, and the documents',
  async t => {
    const { status, commands } = await commandsOf('/transactions?budget_id=own&limit=1000');
    t.is(status, 200);
    t.deepEqual(commands, [...BEFORE, 'find g1_rows']);
    t.deepEqual((await commandsOf('/accounts?budget_id=own')).commands, [
      ...BEFORE,
      'find g1_accounts',
    ]);
    t.deepEqual((await commandsOf('/budgets')).commands, BEFORE);
  },
);

test.serial(
  'A search looks at blocks of memos and at names, at rows only where they lead',
  async t => {
    const { status, commands } = await commandsOf('/transactions?budget_id=own&search=nothing');
    t.is(status, 200);
    const looked = ['find g1_categories', 'find g1_memoBlocks', 'find g1_payees'];
    t.deepEqual([...commands.slice(0, 2), ...commands.slice(2).sort()], [...BEFORE, ...looked]);
  },
);

test.serial('Every query after the first is read at its instant, and bounded in time', async t => {
  await commandsOf('/accounts?budget_id=own');
  const [, reach, read] = started.map(({ command }) => command);
  t.is(reach?.readConcern.level, 'snapshot');
  t.is(read?.readConcern.level, 'snapshot');
  t.truthy(read?.readConcern.atClusterTime);
  for (const command of [reach, read]) t.true(command?.maxTimeMS > 0);
});

test.serial('304 is answered before documents are read', async t => {
  const { etag } = await commandsOf('/accounts?budget_id=own');
  const { status, commands } = await commandsOf('/accounts?budget_id=own', {
    'if-none-match': etag,
  });
  t.is(status, 304);
  t.deepEqual(commands, BEFORE);
});

test.serial("404: the work for another's budget is that for one that is not there", async t => {
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
  "404: the database looks at as much for another's budget as for one that is not there",
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
      const { totalDocsExamined, totalKeysExamined, indexesUsed } = plan.stages.at(-1);
      return { totalDocsExamined, totalKeysExamined, indexesUsed };
    };
    const absent = await examined('nowhere');
    t.deepEqual(absent.indexesUsed, ['budget.spaceId_1']);
    t.deepEqual(await examined('bens'), absent);
  },
);

test.serial('Refusals before the budget read nothing but the registry', async t => {
  for (const path of ['/accounts', '/accounts?budget_id=own&x=1', '/nothing']) {
    const { commands } = await commandsOf(path);
    t.deepEqual(
      commands.filter(one => one !== 'find registry'),
      [],
      path,
    );
  }
});
