// A log that cannot be written: the process goes on, and ends as it should.
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';

const ROOT = join(import.meta.dirname, '..', '..');

type Ended = [text: string, code: number | null];

/** Runs a program of which one output, standard error by default, is a device on a full disk; returns the other one. */
async function onFullDisk(args: readonly string[], full: 'out' | 'err' = 'err'): Promise<Ended> {
  const device = openSync('/dev/full', 'w');
  const outputs = full === 'out' ? [device, 'pipe'] : ['pipe', device];
  const child = spawn(process.execPath, args, { stdio: ['ignore', ...outputs] as StdioOptions });
  closeSync(device);
  const ended = once(child, 'exit');
  const other = child.stdout ?? child.stderr;
  return [other ? await text(other) : '', (await ended)[0]];
}

test('a process goes on without its log, and ends at once', async t => {
  const log = JSON.stringify(join(ROOT, 'src', 'process', 'log.js'));
  const program = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { createLogger } from ${log};
    const logger = createLogger('info');
    for (let line = 0; line < 3; line += 1) {
      logger.info('A line that nobody gets');
      await sleep(50);
    }
    console.log('still here');
    logger.fatal('Nor this one');
    process.exit(3);`;
  t.deepEqual(await onFullDisk(['--input-type=module', '--eval', program]), ['still here\n', 3]);
});

test('a command without room for its errors ends with its own code', async t => {
  const cli = join(ROOT, 'src', 'cli.js');
  t.deepEqual(await onFullDisk([cli, 'nonsense']), ['', 2]);
  const [version, code] = await onFullDisk([cli, '--version']);
  t.regex(version, /^budgeting \d/);
  t.is(code, 0);
});

test('a command whose output is lost says so, and ends with 1', async t => {
  const cli = join(ROOT, 'src', 'cli.js');
  const [errors, code] = await onFullDisk([cli, '--version'], 'out');
  t.is(
    errors,
    'The output cannot be written, and is lost from here on: ENOSPC: no space left on device, write\n',
  );
  t.is(code, 1);
});
