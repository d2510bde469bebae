// The audit trail names who did what, and no secret.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { createSecret } from '../../src/access/secret.ts';
import { createTokenValue } from '../../src/access/token-value.ts';
import { COMMANDS } from '../../src/commands/commands.ts';
import { auditedCommand } from '../../src/commands/opening/process.ts';
import { parseCommand } from '../../src/commands/syntax/parse-command.ts';

const TOKEN_ID = '0b6e7f0e-52f6-4d7c-a0c8-6f5bd3c1a001';

function audited(...args: string[]) {
  const { command, invocation } = parseCommand(COMMANDS, args);
  return auditedCommand(command, invocation);
}

test('commands that change something are in the trail, others are not', t => {
  const cases: [string, string | null][] = [
    ['append history.ndjson', 'append'],
    ['append history.ndjson --check', null],
    ['import ynab Home.zip --user anna --currency EUR', 'import ynab'],
    ['import ynab Home.zip --user anna --currency EUR --dry-run', null],
    ['import actual Home.zip --into b1', 'import actual'],
    ['budget list', null],
    ['budget delete b1 --yes', 'budget delete'],
    ['token issue --user anna', 'token issue'],
    ['token list', null],
    [`token revoke ${TOKEN_ID}`, 'token revoke'],
    ['sign-in --user anna', 'sign-in'],
    ['status', null],
    ['verify', null],
    ['explain ours', null],
    ['parked list', null],
    ['parked retry b1', 'parked retry'],
    ['parked skip b1 --missing', 'parked skip --missing'],
    ['parked resume', 'parked resume'],
    ['rebuild --abandon', 'rebuild --abandon'],
    ['rollback', 'rollback'],
    ['serve', null],
    ['start', null],
    ['project', null],
    ['completion bash', null],
  ];
  for (const [line, command] of cases) {
    t.is(audited(...line.split(' '))?.command ?? null, command, line);
  }
  const covered = cases.map(([line]) => parseCommand(COMMANDS, line.split(' ')).command.name);
  t.deepEqual([...new Set(covered)].sort(), COMMANDS.map(({ name }) => name).sort());
});

test('a line has ids, and who ran the command', t => {
  const issue = ['token', 'issue', '--user', 'anna', '--budget=b1', '--budget', 'b2'];
  const { by, ...facts } = audited(...issue, '--name', 'My secret plan') ?? { by: '' };
  t.deepEqual(facts, { command: 'token issue', user: ['anna'], budget: ['b1', 'b2'] });
  t.regex(by ?? '', /^\S/);
  t.is(audited('token', 'revoke', TOKEN_ID)?.of, TOKEN_ID);
  t.is(audited('parked', 'retry', 'budget-1')?.of, 'budget-1');
  for (const kind of ['ynab', 'actual', 'space']) {
    const imported = `${kind}-0f7d0b6c4f6ac0a3a1f1a2d8a2f3e4d5`;
    t.is(audited('budget', 'delete', imported)?.of, imported);
  }
});

test('a secret that is pasted where an id belongs, names and files are left out', t => {
  const token = createTokenValue(randomBytes);
  // What begins with a dash is read as an option, and refused.
  const [bare, link] = [token.slice('service_pat_'.length), createSecret()].map(one =>
    one.replace(/^-/, '_'),
  );
  const address = 'mongodb://a:pw@h/';
  const secrets = [token, bare ?? '', link ?? '', address];
  for (const secret of secrets) {
    for (const args of [
      ['token', 'revoke', secret],
      ['budget', 'delete', secret],
      ['parked', 'retry', secret],
      ['append', secret],
      ['import', 'ynab', secret, '--user', 'anna', '--name', secret],
      ['import', 'ynab', secret, '--user', secret],
      ['import', 'ynab', secret, '--into', secret],
      ['token', 'issue', '--user', secret],
      ['token', 'issue', '--user', 'anna', `--budget=${secret}`],
      ['sign-in', '--user', secret],
    ] as const) {
      if (
        secret === address &&
        (args[0] === 'token' || args[0] === 'sign-in') &&
        args[1] !== 'revoke'
      ) {
        // No id of that form is taken, so the command does not begin.
        t.throws(() => audited(...args), { message: /^Expected the id of a / });
        continue;
      }
      const facts = audited(...args);
      t.truthy(facts);
      t.false(JSON.stringify(facts).includes(secret), args.slice(0, 2).join(' '));
    }
  }
});

test('docs/security.md names every action of the trail', async t => {
  const guide = await readFile('docs/security.md', 'utf8');
  const [, section = ''] = guide.split('\n## Audit trail\n');
  const found = [...(section.split('\n## ')[0]?.matchAll(/^\| `([a-z -]+)` \| \S/gm) ?? [])];
  const source = await readFile('src/process/log.ts', 'utf8');
  const [union = ''] = /type AuditAction =[^;]+/.exec(source) ?? [];
  const actions = [...union.matchAll(/'([^']+)'/g)].map(([, action]) => action);
  t.deepEqual(
    found.map(([, action]) => action).filter(action => action !== 'audit'),
    actions,
  );
});
