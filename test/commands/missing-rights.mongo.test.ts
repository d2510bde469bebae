// The database's user lacks rights: one sentence says which, and neither it nor the log quotes the refused command.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from '../helpers/file-test.ts';
import { whileTested } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { startLockedMongo } from '../store/locked-mongo.ts';
import { budgeting } from './started.ts';

const HINT = 'Expected MONGODB_URL to name a user with the role readWrite on';
const AT = '(docs/operations.md, First deployment)';
const USER = 'anna-maria';
const BOTH = ['budgeting', 'budgeting_access'].map(db => ({ role: 'readWrite', db }));

const mongo = whileTested(test, startLockedMongo);

test.serial(
  'a command and a reader end with one sentence that says which rights are missing',
  async t => {
    const env = { MONGODB_URL: mongo().url('home'), DATA_DIR: await temporaryFolder(t), PORT: '0' };
    const databases = 'home_budgeting and home_budgeting_access';
    for (const [args, refused] of [
      [['status'], 'home_budgeting'],
      [['token', 'list'], 'home_budgeting_access'],
      [['serve'], 'home_budgeting_access'],
      [['project'], 'home_budgeting'],
    ] as const) {
      const { code, err } = await budgeting(args, env).ended;
      const line = `MongoDB refuses access: not authorized on ${refused}. ${HINT} ${databases} ${AT}\n`;
      t.deepEqual({ args, code, err }, { args, code: 1, err: line });
    }
  },
);

test.serial('without a user the sentence is the same', async t => {
  const url = mongo()
    .url('')
    .replace(/\/\/.*@/, '//')
    .replace('&authSource=admin', '');
  const env = { MONGODB_URL: url, DATA_DIR: await temporaryFolder(t) };
  const { code, err } = await budgeting(['budget', 'list'], env).ended;
  t.is(code, 1);
  t.regex(err, /^MongoDB refuses access: [^\n{}]+ requires authentication\. Expected [^\n{}]+\n$/);
});

test.serial(
  'a reader that loses its rights logs neither addresses nor users nor hashes',
  async t => {
    const env = { MONGODB_URL: mongo().url(''), DATA_DIR: await temporaryFolder(t), PORT: '0' };
    await mongo().grant(BOTH);
    const { out } = await budgeting(['token', 'issue', '--user', USER, '--json'], env).ended;
    const { token } = JSON.parse(out);
    const reader = budgeting(['serve'], env);
    const printed = await reader.printed(/Read API/);
    const origin = /http:\S+(?=\/api\/v1)/.exec(printed)?.[0];
    const ask = async () => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${origin}/api/v1/budgets`, { headers })).status;
    };
    t.is(await ask(), 503);
    await mongo().grant([
      { role: 'readWrite', db: 'budgeting' },
      { role: 'read', db: 'budgeting_access' },
    ]);
    while ((await ask()) === 503) await sleep(20);
    await mongo().grant([{ role: 'readWrite', db: 'budgeting' }]);
    await ask();
    reader.child.kill('SIGTERM');
    await once(reader.child, 'close');
    const log = reader.errors();
    t.regex(log, /"reason":"MongoServerError: not authorized on budgeting_access"/);
    t.regex(
      log,
      /"err":\{"type":"MongoServerError","message":"not authorized on budgeting_access"/,
    );
    t.notRegex(log, /127\.0\.0\.1|_id:|execute command/);
    t.false(log.includes(USER));
  },
);
