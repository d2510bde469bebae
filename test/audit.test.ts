import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { createSecret } from '../src/access/secret.ts';
import { createTokenValue } from '../src/access/token-value.ts';
import { auditedCommand } from '../src/audit.ts';
import { COMMANDS } from '../src/commands/run-command.ts';

const TOKEN_ID = '0b6e7f0e-52f6-4d7c-a0c8-6f5bd3c1a001';

test('commands that change something are in the trail, others are not', t => {
  const cases: [string, string | null][] = [
    ['append history.ndjson', 'append'],
    ['append history.ndjson --check', null],
    ['import ynab Home.zip --user anna --currency EUR', 'import'],
    ['import ynab Home.zip --user anna --currency EUR --dry-run', null],
    ['budget list', null],
    ['budget delete b1 --yes', 'budget delete'],
    ['token issue --user anna', 'token issue'],
    ['token list', null],
    [`token revoke ${TOKEN_ID}`, 'token revoke'],
    ['sign-in --user anna', 'sign-in'],
    ['status', null],
    ['verify', null],
    ['parked list', null],
    ['parked skip b1 --missing', 'parked skip --missing'],
    ['parked resume', 'parked resume'],
    ['rebuild --abandon', 'rebuild --abandon'],
    ['rollback', 'rollback'],
    ['serve', null],
  ];
  for (const [line, command] of cases) {
    const [name = '', ...args] = line.split(' ');
    t.is(auditedCommand(name, args)?.command ?? null, command, line);
  }
  const covered = new Set(cases.map(([line]) => line.split(' ')[0]));
  const processes = ['start', 'project'];
  t.deepEqual(
    Object.keys(COMMANDS).filter(name => !covered.has(name) && !processes.includes(name)),
    [],
  );
});

test('a line has ids, and who ran the command', t => {
  const { by, ...facts } = auditedCommand('token', [
    ...['issue', '--user', 'anna', '--budget=b1', '--budget', 'b2', '--name', 'My secret plan'],
  ]) ?? { by: '' };
  t.deepEqual(facts, { command: 'token issue', user: ['anna'], budget: ['b1', 'b2'] });
  t.regex(by ?? '', /^\S/);
  t.is(auditedCommand('token', ['revoke', TOKEN_ID])?.of, TOKEN_ID);
  t.is(auditedCommand('parked', ['retry', 'budget-1'])?.of, 'budget-1');
});

test('a secret that is pasted where an id belongs, names and files are left out', t => {
  const token = createTokenValue(randomBytes);
  const secrets = [token, token.slice('service_pat_'.length), createSecret(), 'mongodb://a:pw@h/'];
  for (const secret of secrets) {
    for (const [name, ...args] of [
      ['token', 'revoke', secret],
      ['budget', 'delete', secret],
      ['parked', 'retry', secret],
      ['token', 'issue', '--user', secret],
      ['token', 'issue', `--budget=${secret}`],
      ['sign-in', '--user', secret],
      ['append', secret],
      ['import', 'ynab', secret, '--user', 'anna', '--name', secret],
    ] as const) {
      const line = JSON.stringify(auditedCommand(name, args));
      t.false(line.includes(secret), `${name} ${args[0]}`);
    }
  }
});

test('docs/security.md names every action of the trail', async t => {
  const guide = await readFile('docs/security.md', 'utf8');
  const [, section = ''] = guide.split('\n## Audit trail\n');
  const found = [...(section.split('\n## ')[0]?.matchAll(/^\| `([a-z -]+)` \| \S/gm) ?? [])];
  const source = await readFile('src/audit.ts', 'utf8');
  const [union = ''] = /type AuditAction =[^;]+/.exec(source) ?? [];
  const actions = [...union.matchAll(/'([^']+)'/g)].map(([, action]) => action);
  t.deepEqual(
    found.map(([, action]) => action).filter(action => action !== 'audit'),
    actions,
  );
});
