import { SCOPES } from '../../schemas/generated/api.ts';
import { isTokenValue } from '../../src/access/token-value.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { UserError } from '../../src/process/errors.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { invokeLine } from './invoke.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');

const mongo = useMongo(test);

function setUp(isPrinted = true) {
  const tokens = createTokenStore(mongo.database('token'));
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const tryPrint = async (line: string) => {
      print(line);
      return isPrinted;
    };
    const context = { tokens, now: () => NOW, print, tryPrint };
    await invokeLine(['token', ...args], context);
    return lines;
  };
  return { tokens, run };
}

test('token issue --json prints one object with token and id', async t => {
  const { tokens, run } = setUp();
  const lines = await run('issue', '--user', 'u1', '--json');
  t.is(lines.length, 1);
  const printed = JSON.parse(lines[0] ?? '');
  t.true(isTokenValue(printed.token));
  t.deepEqual(printed, {
    token: printed.token,
    id: printed.id,
    last4: printed.token.slice(-4),
    name: 'API token',
    owner: 'u1',
    scopes: SCOPES,
    budgets: null,
    createdAt: '2026-03-14T09:26:53.589Z',
    expiresAt: '2027-03-14T09:26:53.589Z',
    lastUsedAt: null,
    revokedAt: null,
  });
  t.is((await tokens.find(printed.token))?.id, printed.id);
});

test('token issue accepts budgets, scopes, a lifetime and a name', async t => {
  const { tokens, run } = setUp();
  const options = ['--budget', 'b1', '--budget', 'b2', '--scope', 'months:read', '--name', 'Sheet'];
  await run('issue', '--user', 'u1', ...options, '--expires-in-days', '0');
  t.like((await tokens.list())[0], {
    owner: 'u1',
    name: 'Sheet',
    scopes: ['months:read'],
    budgets: ['b1', 'b2'],
    createdAt: NOW,
    expiresAt: NOW,
  });
});

test('a token whose value nobody got is revoked at once', async t => {
  const { tokens, run } = setUp(false);
  for (const how of [[], ['--json']]) {
    await t.throwsAsync(run('issue', '--user', 'u1', ...how), {
      instanceOf: UserError,
      message: /^Expected to print the token, got no output: token \S+ is revoked$/,
    });
  }
  const made = await tokens.list();
  t.deepEqual(
    made.map(({ revokedAt }) => revokedAt),
    [NOW, NOW],
  );
});

test('token issue prints the value once, on its own line', async t => {
  const { tokens, run } = setUp();
  const lines = await run('issue', '--user', 'u1', '--budget', 'b1');
  const values = lines.filter(line => line.includes('service_pat_'));
  t.deepEqual(values.map(isTokenValue), [true]);
  const [record] = await tokens.list();
  t.true(lines.includes(`  id        ${record?.id}`));
  t.true(lines.includes('  budgets   b1'));
});

test('token list prints tokens without their values', async t => {
  const { tokens, run } = setUp();
  t.deepEqual(await run('list'), ['No tokens']);
  const first = await tokens.issue({ owner: 'u1' }, NOW);
  const ended = await tokens.issue({ owner: 'u2', expiresInDays: 0 }, NOW);
  await tokens.revoke(first.record.id, NOW);
  const text = (await run('list')).join('\n');
  t.true(text.includes(`…${first.record.last4}  revoked\n  id        ${first.record.id}\n`));
  t.true(text.includes(`…${ended.record.last4}  expired\n  id        ${ended.record.id}\n`));
  t.false(text.includes('service_pat_'));
  const mine = (await run('list', '--user', 'u2')).join('\n');
  t.false(mine.includes(first.record.id));
  const json = await run('list', '--user', 'u2', '--json');
  t.is(json.length, 1);
  const listed = JSON.parse(JSON.stringify({ ...ended.record, state: 'expired' }));
  t.deepEqual(JSON.parse(json[0] ?? ''), { tokens: [listed] });
});

test('token revoke revokes a token by its id', async t => {
  const { tokens, run } = setUp();
  const { token, record } = await tokens.issue({ owner: 'u1' }, NOW);
  t.deepEqual(await run('revoke', record.id), [`Revoked token ${record.id}`]);
  t.deepEqual((await tokens.find(token))?.revokedAt, NOW);
});

test('token revoke of an unknown id fails, and repeats no secret', async t => {
  const { tokens, run } = setUp();
  const { token } = await tokens.issue({ owner: 'u1' }, NOW);
  await t.throwsAsync(run('revoke', 'nobody'), {
    instanceOf: UserError,
    message: 'Expected the id of a token as token list shows it, got nobody',
  });
  const error = await t.throwsAsync(run('revoke', token), { instanceOf: UserError });
  t.false(error.message.includes(token));
});

test('bad input is refused with what was expected, and issues no token', async t => {
  const { tokens, run } = setUp();
  const cases: [string[], RegExp][] = [
    [
      [],
      /^Expected token issue, list or revoke, got nothing\nUsage:\nbudgeting token issue --user U /,
    ],
    [['make'], /^Expected token issue, list or revoke, got make\n/],
    [['issue'], /^Expected --user U, got none\n/],
    [['issue', '--user'], /--user/],
    [['issue', '--user', 'u 1'], /^Expected the id of a user, .*, got "u 1"\n/],
    [['issue', '--user', 'u1', '--user', 'u2'], /^Expected --user once, got it 2 times\n/],
    [['issue', '--user', 'u1', '--scope', 'x'], /^Expected scopes from .*, got "x"\n/],
    [['issue', '--user', 'u1', '--budget', ''], /^Expected the id of a budget, .*, got ""\n/],
    [['issue', '--user', 'u1', '--expires-in-days', '366'], /0 to 365 whole days, got 366\n/],
    [['issue', '--user', 'u1', '--expires-in-days', '1.5'], /from 0 to 365, got 1\.5\n/],
    [['issue', '--user', 'u1', '--expires-in-days=-1'], /from 0 to 365, got -1\n/],
    [['issue', '--user', 'u1', '--expires-in-days', ''], /from 0 to 365, got \n/],
    [['issue', '--user', 'u1', '--colour', 'blue'], /--colour/],
    [['issue', '--user', 'u1', 'more'], /^Expected no argument, got 1\n/],
    [['list', '--user', ''], /^Expected the id of a user, .*, got ""\n/],
    [['list', 'more'], /^Expected no argument, got 1\n/],
    [['revoke'], /^Expected one ID, got 0\n/],
    [['revoke', 'a', 'b'], /^Expected one ID, got 2\n/],
  ];
  for (const [args, message] of cases) {
    await t.throwsAsync(run(...args), { instanceOf: UserError, message }, args.join(' '));
  }
  t.deepEqual(await tokens.list(), []);
});
