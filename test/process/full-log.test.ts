// A log that cannot be written: the process goes on, and ends as it should.
import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

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

const LOG = JSON.stringify(join(ROOT, 'src', 'process', 'log.js'));
const program = (lines: string) => [
  '--input-type=module',
  '--eval',
  `import { setTimeout as sleep } from 'node:timers/promises';
   import { createLogger } from ${LOG};
   const logger = createLogger('info');
   ${lines}`,
];
const PROGRAMS = {
  'lines after one another': `
    for (let line = 0; line < 3; line += 1) {
      logger.info('A line that nobody gets');
      await sleep(50);
    }
    console.log('still here');
    process.exit(3);`,
  'many lines in one turn': `
    for (let line = 0; line < 300; line += 1) logger.info('A line that nobody gets');
    console.log('still here');
    process.exit(3);`,
  'fatal lines in one turn': `
    logger.fatal('The first one');
    logger.fatal('The second one');
    await sleep(50);
    console.log('still here');
    process.exit(3);`,
};
for (const [what, lines] of Object.entries(PROGRAMS)) {
  test(`a process goes on without its log, and ends at once: ${what}`, async t => {
    t.deepEqual(await onFullDisk(program(lines)), ['still here\n', 3]);
  });
}

test('a log whose reader is gone keeps no process from its end', async t => {
  const lines = `for (let line = 0; line < 300; line += 1) logger.info('A line');
    await sleep(50);
    logger.fatal('Another one');
    process.exit(3);`;
  const child = spawn(process.execPath, program(lines), { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr?.destroy();
  const [code] = await once(child, 'exit');
  t.is(code, 3);
});

/** Reads the log of a process to its end; returns the numbers of its lines, and the exit code. */
async function linesOf(child: ChildProcess): Promise<[numbers: unknown[], code: number]> {
  const ended = once(child, 'exit');
  const written = child.stderr ? await text(child.stderr) : '';
  const numbers = written
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).line);
  return [numbers, (await ended)[0]];
}

test('all lines of a process arrive in order, also the last ones before its end', async t => {
  const lines = `for (let line = 0; line < 5000; line += 1) logger.info({ line });
    await sleep(20);
    for (let line = 5000; line < 5010; line += 1) logger.fatal({ line });
    process.exit(3);`;
  // A pipe, as programs and containers have; Node gives its children sockets.
  const piped = `${quoted(program(lines))} 2>&1 >/dev/null | cat >lines; echo \${PIPESTATUS[0]}; cat lines`;
  const [code, ...written] = (await bash(t, piped)).trimEnd().split('\n');
  t.is(code, '3');
  t.deepEqual(
    written.map(line => JSON.parse(line).line),
    Array.from({ length: 5010 }, (_, line) => line),
  );
});

test('lines beyond the bound are dropped while nobody reads, and later ones arrive', async t => {
  const lines = `const long = 'x'.repeat(100_000);
    for (let line = 0; line < 200; line += 1) logger.info({ line, long });
    console.log('written');
    await sleep(2000);
    logger.info({ line: 'last' });`;
  const child = spawn(process.execPath, program(lines), { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.stdout) await once(child.stdout, 'data');
  const [numbers, code] = await linesOf(child);
  t.is(code, 0);
  t.is(numbers.at(-1), 'last');
  t.true(numbers.length > 50 && numbers.length < 150, `${numbers.length} lines`);
});

/** Runs a line of bash in a folder of its own; returns what it prints. */
async function bash(t: ExecutionContext, line: string): Promise<string> {
  const cwd = await temporaryFolder(t);
  return (await promisify(execFile)('bash', ['-c', line], { cwd })).stdout;
}

const quoted = (args: readonly string[]) =>
  [process.execPath, ...args].map(arg => `'${arg.replaceAll("'", `'"'"'`)}'`).join(' ');

test('where there is room again the lines that waited arrive, and how many were dropped', async t => {
  const lines = `
    import { truncateSync } from 'node:fs';
    const long = 'x'.repeat(100_000);
    for (let line = 0; line < 250; line += 1) {
      logger.info({ line, long });
      if (line % 20 === 0) await sleep(50);
    }
    truncateSync('log');
    await sleep(1500);
    logger.info({ line: 'last' });`;
  // At most 11 MB in a file: 10 MB more wait.
  const run = `ulimit -f 11000; ${quoted(program(lines))} 2>>log; tail -n 2 log`;
  const tail = await bash(t, `trap '' XFSZ; ${run}`);
  const [dropped, last] = tail
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  t.is(dropped.level, 40);
  const count = Number(/^(\d+) lines of the log were dropped/.exec(dropped.msg)?.[1]);
  t.true(count > 30 && count < 60, dropped.msg);
  t.is(last.line, 'last');
});

test('a process that dropped lines says how many as it ends', async t => {
  const lines = `for (let line = 0; line < 200_000; line += 1) logger.info('A line');
    process.exit(3);`;
  const { msg } = JSON.parse(await bash(t, `${quoted(program(lines))} 2>&1 | tail -n 1`));
  const count = Number(/^(\d+) lines of the log were dropped/.exec(msg)?.[1]);
  t.true(count > 10_000, msg);
});

test('a reader of a pipe that stands still keeps no process from its end, though others write into it too', async t => {
  const lines = `
    for (let line = 0; line < 1000; line += 1) logger.info({ long: 'x'.repeat(1000) });
    // By then the other process has ended, which lets writes into the pipe wait for its reader.
    await sleep(1500);
    logger.info('Another line');
    process.exit(3);`;
  const other = quoted(['--eval', 'process.stderr; setTimeout(() => {}, 500)']);
  const both = `{ ${other} & timeout -s KILL 8 ${quoted(program(lines))}; echo $? >code; wait; }`;
  t.is(await bash(t, `mkfifo end; exec 3<>end; ${both} 2>&3; cat code`), '3\n');
});

test('a command without room for its errors ends with its own code', async t => {
  const cli = join(ROOT, 'src', 'cli.js');
  t.deepEqual(await onFullDisk([cli, 'nonsense']), ['', 2]);
  const [version, code] = await onFullDisk([cli, '--version']);
  t.regex(version, /^budgeting \d/);
  t.is(code, 0);
});

test('a disk that becomes full in the midst of a line counts as full', async t => {
  const cli = quoted([join(ROOT, 'src', 'cli.js'), 'help', 'variables']);
  const printed = await bash(t, `trap '' XFSZ; ulimit -f 1; ${cli} 2>&1 >out; echo $?`);
  t.is(
    printed,
    'The output cannot be written, and is lost from here on: EFBIG: file too large, write\n1\n',
  );
});

test('a reader of a pipe that takes long gets all that a command prints', async t => {
  const cli = quoted([join(ROOT, 'src', 'cli.js'), 'help', 'variables']);
  const all = await bash(t, cli);
  // The reader opens the pipe for itself: Node makes the command's end one that does not wait.
  const late = `mkfifo end; exec 3<>end; head -c 65536 /dev/zero >&3; ${cli} >&3 &
    sleep 2.5; { head -c 65536 >/dev/null; head -c ${Buffer.byteLength(all)}; } <end; wait`;
  t.is(await bash(t, late), all);
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
