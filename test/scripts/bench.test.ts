// The arithmetic of the bench: tests cover the evaluation of measurements, not the measurements.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';
import { median, percentile } from '../../scripts/bench/arithmetic.ts';
import { alternate, judge, type Measured, missed } from '../../scripts/bench/measured.ts';
import { run } from '../../scripts/bench/processes.ts';
import { processorSeconds } from '../../scripts/bench/processor-time.ts';
import { runFigures } from '../../scripts/bench/run.ts';
import { SIZES } from '../../scripts/bench/sizes.ts';
import { formatNumber, table } from '../../scripts/bench/table.ts';

const measured: Measured = {
  what: 'Pages',
  against: 'bare',
  unit: 'requests/s',
  rounds: { subject: [300, 100, 220], baseline: [150, 100, 100] },
  goal: { ratio: { atLeast: 2 } },
};

test('the median is the middle value, or the mean of the two middle ones', t => {
  t.is(median([7]), 7);
  t.is(median([9, 1, 5]), 5);
  t.is(median([4, 1, 10, 2]), 3);
  t.is(median([10, 9, 2]), 9);
  t.throws(() => median([]), { message: 'Expected values, got none' });
});

test('a percentile is the smallest value that so many percent of all values do not exceed', t => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  t.is(percentile(values, 99), 198);
  t.is(percentile(values, 50), 100);
  t.is(percentile(values, 100), 200);
  t.is(percentile(values, 0), 1);
  t.is(percentile([3, 1, 2], 99), 3);
  t.throws(() => percentile([], 99), { message: 'Expected values, got none' });
});

test("a ratio is the median of the pairs' ratios, and each value is a median by itself", t => {
  t.deepEqual(judge(measured), { subject: 220, baseline: 100, ratio: 2, reached: true });
});

test('a goal is reached if every bound holds, and a value equal to its bound holds', t => {
  const reached = (goal: Measured['goal']) => judge({ ...measured, goal }).reached;
  t.true(reached({ ratio: { atLeast: 2 } }));
  t.false(reached({ ratio: { atLeast: 2.01 } }));
  t.true(reached({ ratio: { atMost: 2 } }));
  t.false(reached({ ratio: { atMost: 1.99 } }));
  t.true(reached({ value: { atMost: 220 } }));
  t.false(reached({ value: { atMost: 219 } }));
  t.false(reached({ ratio: { atLeast: 2 }, value: { atMost: 219 } }));
  t.false(reached({ ratio: { atLeast: 3 }, value: { atMost: 300 } }));
});

test('goals that are missed are named, and a figure without a goal misses none', t => {
  const late = { ...measured, goal: { ratio: { atLeast: 3 } } };
  t.deepEqual(missed([measured, late, { ...measured, goal: {} }]), ['Pages (bare)']);
});

test('rounds alternate between baseline and subject', async t => {
  const calls: string[] = [];
  const take = (name: string, value: number) => async () => {
    calls.push(name);
    return value * calls.length;
  };
  const rounds = await alternate(2, take('baseline', 1), take('subject', 10));
  t.deepEqual(calls, ['baseline', 'subject', 'baseline', 'subject']);
  t.deepEqual(rounds, { baseline: [1, 3], subject: [20, 40] });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('processor time grows while a process works', async t => {
  const before = await processorSeconds(process.pid);
  const startedAt = process.cpuUsage();
  while (process.cpuUsage(startedAt).user < 200_000);
  const grown = (await processorSeconds(process.pid)) - before;
  t.true(grown >= 0.15, `${grown} s`);
});

onLinux('children that come and go are counted, and disturb no measurement', async t => {
  // It ends with this process, also if that is killed.
  const loop = `while kill -0 ${process.pid}; do /bin/true; /bin/true & done`;
  const shell = spawn('sh', ['-c', loop], { stdio: 'ignore' });
  t.teardown(() => shell.kill('SIGKILL'));
  await once(shell, 'spawn');
  let seconds = 0;
  for (let round = 0; round < 300 || seconds === 0; round++)
    seconds = await processorSeconds(Number(shell.pid));
  t.pass();
});

test('numbers show three significant digits', t => {
  const shown = [1234.56, 99.96, 12.345, 0.012345, 0, -4.56789, Number.NaN].map(formatNumber);
  t.deepEqual(shown, ['1235', '100', '12.3', '0.0123', '0', '-4.57', 'none']);
});

test('the table shows value, baseline, ratio, goal and whether it was reached', t => {
  const late: Measured = {
    what: 'Start',
    against: 'bare',
    unit: 's',
    rounds: { subject: [1.5], baseline: [0.5] },
    goal: { ratio: { atMost: 3 }, value: { atMost: 1 } },
  };
  t.deepEqual(table([measured, late]), [
    '| Figure | Measured       | Baseline              | Ratio | Goal           |         |',
    '| ------ | -------------- | --------------------- | ----- | -------------- | ------- |',
    '| Pages  | 220 requests/s | 100 requests/s (bare) | 2 x   | >= 2 x         | reached |',
    '| Start  | 1.5 s          | 0.5 s (bare)          | 3 x   | <= 3 x, <= 1 s | missed  |',
  ]);
});

test('a figure without a goal is shown without a judgement', t => {
  const [, , row] = table([{ ...measured, goal: {} }]);
  t.is(row, '| Pages  | 220 requests/s | 100 requests/s (bare) | 2 x   |      |  |');
});

// Serial, because a run that ends stops all processes.
test.serial(
  'a signal ends the measurement, and stops the processes that it has started',
  async t => {
    const stopping = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    const endless = {
      name: 'endless',
      async measure(): Promise<Measured[]> {
        const running = run('sh', ['-c', 'echo ready; exec sleep 600'], {});
        ended = running.ended.catch(({ message }) => message);
        await running.line(/ready/);
        stopping.abort();
        return await running.ended;
      },
    };
    const lines: string[] = [];
    const options = { sizes: SIZES.small, report: (line: string) => void lines.push(line) };
    await t.throwsAsync(
      runFigures({ figures: [endless, endless], ...options, signal: stopping.signal }),
      { message: 'Stopped before all figures were measured' },
    );
    t.deepEqual(lines, ['Measuring endless']);
    t.is(await ended, 'Expected the process to run until it is stopped, got exit code null');
  },
);

test.serial('a figure that fails costs no other one, and is named', async t => {
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  const failing = { name: 'failing', measure: () => Promise.reject(new Error('no room')) };
  const fine = { name: 'fine', measure: async () => [measured] };
  const signal = new AbortController().signal;
  const figures = [failing, fine];
  const run = await runFigures({ figures, sizes: SIZES.small, report, signal });
  t.deepEqual(run, { measured: [measured], failed: ['failing'] });
  t.regex(lines[1] ?? '', /^failing failed: Error: no room/);
});
