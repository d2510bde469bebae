// A log that cannot be written: the process goes on, and ends as it should.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';

const ROOT = join(import.meta.dirname, '..', '..');

/** Runs a program whose standard error is a device on a full disk. */
async function onFullDisk(args: readonly string[]): Promise<[output: string, code: number | null]> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', full] });
  closeSync(full);
  const ended = once(child, 'exit');
  const output = child.stdout ? await text(child.stdout) : '';
  return [output, (await ended)[0]];
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
