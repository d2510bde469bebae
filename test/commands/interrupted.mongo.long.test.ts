// Real commands beside a real `npm start`, stopped by signals and by keys at a terminal; its data folder has a space.
import { execFile, spawn } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { readAll } from '../event-log/log-under-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { YNAB_JSON } from '../import/ynab-json.ts';
import { eventMaker } from '../projections/story.ts';
import { budgeting, collectOutput, type Started } from './started.ts';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');

interface RunningSystem {
  readonly env: { readonly DATA_DIR: string };
  readonly started: Started;
  readonly records: () => Promise<number>;
}

async function system(t: ExecutionContext): Promise<RunningSystem> {
  const data = join(await temporaryFolder(t), 'my data');
  const env = { DATA_DIR: data, PORT: '0', LOG_LEVEL: '' };
  const started = budgeting(['start'], env);
  t.teardown(async () => {
    started.child.kill('SIGTERM');
    await started.ended;
  });
  await started.printed(/goes on where it stopped/);
  const records = async () => {
    const log = await openFolderLog(join(data, 'log'), {});
    return (await readAll(log).finally(() => log.close())).length;
  };
  return { env, started, records };
}

/** Runs a command at a terminal, and types the keys when it asks. */
async function atTerminal(args: readonly string[], keys: string, env: NodeJS.ProcessEnv) {
  const command = [process.execPath, CLI, ...args].map(one => `'${one}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, MANAGEMENT_PORT: '0', ...env },
  });
  const started = collectOutput(child);
  await started.printed(/\[y\/N\]/);
  child.stdin.write(keys);
  const ended = await started.ended;
  return { ...ended, out: ended.out.replaceAll('\r', '') };
}

test('commands that are stopped change nothing, and say so in one line', async t => {
  const { env, started, records } = await system(t);
  const before = await records();
  const stopped = 'Stopped: nothing was appended\n';

  // The printed line works as it is, also with a space in the path.
  const [, curl = ''] = /^Try +(curl .*)$/m.exec(await started.printed(/^Try /m)) ?? [];
  const { stdout } = await promisify(execFile)('bash', [
    '-c',
    curl.replace('curl', "printf '%s\\n'"),
  ]);
  t.regex(stdout, /^-H\nAuthorization: Bearer \S+\nhttp\S+\/api\/v1\/budgets\n$/);

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const path = join(env.DATA_DIR, `${signal}.json`);
    await promisify(execFile)('mkfifo', [path]);
    const importing = budgeting(['import', 'ynab', path, '--user', 'anna'], env);
    const pipe = await open(path, 'w');
    const text = JSON.stringify(YNAB_JSON);
    await pipe.write(text.slice(0, 100));
    importing.child.kill(signal);
    await pipe.write(text.slice(100)).catch(() => {});
    await pipe.close();
    const ended = await importing.ended;
    t.deepEqual([ended.code, ended.err, ended.out], [code, stopped, ''], signal);
  }

  const appending = budgeting(['append', '-'], env);
  // More than a pipe holds: when it is written, the command reads.
  await new Promise(done => appending.child.stdin?.write('x'.repeat(1_000_000), done));
  appending.child.kill('SIGINT');
  const { code, err } = await appending.ended;
  t.deepEqual([code, err], [130, stopped]);

  const list = await budgeting(['budget', 'list', '--json'], env).ended;
  const [{ id }] = JSON.parse(list.out).budgets;
  for (const keys of ['\u0003', '\u0004', 'n\r']) {
    const asked = await atTerminal(['budget', 'delete', id], keys, env);
    t.is(asked.code, 1, JSON.stringify(keys));
    t.regex(asked.out, /for ever\? \[y\/N\] .*\n+Nothing was deleted\n$/s);
    t.notRegex(asked.out, /Error|^\s+at /m);
  }
  t.is(await records(), before, 'nothing was appended');
  const deleted = await atTerminal(['budget', 'delete', id], 'y\r', env);
  t.is(deleted.code, 0, deleted.out);
  t.is(await records(), before + 1);
});

test('what files and events say commands no terminal, and fills none', async t => {
  const { env } = await system(t);
  const evil = `\u001b[2J\u009b31m\u202e${'x'.repeat(3145)}`;
  const harmless = (text: string) => {
    t.false(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u.test(text), text.slice(0, 300));
    for (const line of text.split('\n')) t.true(line.length < 1100, line.slice(0, 300));
  };
  const refused = async (...args: string[]) => {
    const { code, err, out } = await budgeting(args, env).ended;
    t.is(code, 1, err);
    harmless(err);
    harmless(out);
    return err;
  };
  const path = join(env.DATA_DIR, 'evil.json');
  const [bank] = YNAB_JSON.accounts;
  const transactions = [{ ...YNAB_JSON.transactions[0], id: evil, account_id: evil }];
  await writeFile(path, JSON.stringify({ ...YNAB_JSON, transactions }));
  t.regex(await refused('import', 'ynab', path, '--user', 'u'), /^transaction \\u001b\[2J/);
  await writeFile(path, JSON.stringify({ ...YNAB_JSON, accounts: [{ ...bank, name: evil }] }));
  await refused('import', 'ynab', path, '--user', 'u', '--type', 'Bank=savings');
  const event = eventMaker('budget-x')({ type: 'payee.deleted', data: { payeeId: evil } });
  await writeFile(path, `${JSON.stringify(event)}\n`);
  t.regex(await refused('append', path), /got "\\u001b\[2J.*" and more/);
  await refused('append', path, '--check');
});
