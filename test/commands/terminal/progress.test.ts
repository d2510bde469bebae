// rules/running.md#progress-of-long-work: long work shows a progress bar on a terminal, and log lines elsewhere.
import test from 'ava';
import { startProgress } from '../../../src/commands/terminal/progress.ts';

function linesOf(updates: readonly (readonly [ms: number, done: number])[]): string[] {
  const printed: string[] = [];
  let ms = 0;
  const bar = startProgress({
    title: 'Building g2',
    isTerminal: false,
    print: line => printed.push(line),
    nowMs: () => ms,
  });
  for (const [atMs, done] of updates) {
    ms = atMs;
    bar.update(done, 1000);
  }
  bar.stop();
  return printed;
}

test('each tenth gives a line', t => {
  const updates = Array.from({ length: 100 }, (_, index) => [index * 500, index * 10] as const);
  const lines = linesOf(updates);
  t.deepEqual(lines.slice(0, 2), [
    'Building g2: 100 of 1000 (10 %)',
    'Building g2: 200 of 1000 (20 %)',
  ]);
  t.is(lines.length, 9);
});

test('work that ends at once gives no line', t => {
  t.deepEqual(
    linesOf([
      [100, 500],
      [900, 1000],
    ]),
    [],
  );
});

test('work without a measure gives no line', t => {
  const printed: string[] = [];
  let ms = 0;
  const print = (line: string) => void printed.push(line);
  const bar = startProgress({ title: 'Importing', isTerminal: false, print, nowMs: () => ms });
  bar.update(0, 1, 'Reading a.zip');
  ms = 60_000;
  bar.update(1, 1);
  bar.update(0, 10, 'Projecting');
  t.deepEqual(printed, ['Projecting: 0 of 10 (0 %)']);
});

test('slow work gives a line every half minute', t => {
  const updates = Array.from({ length: 70 }, (_, index) => [index * 1000, 3] as const);
  t.deepEqual(linesOf(updates), ['Building g2: 3 of 1000 (0 %)', 'Building g2: 3 of 1000 (0 %)']);
});

/** Returns the lines of a bar at 45 %, as a terminal of this width shows them. */
function shownOn(columns: number, title: string): string[] {
  const { stderr } = process;
  const { write, isTTY, columns: own } = stderr;
  const written: string[] = [];
  Object.assign(stderr, { isTTY: true, columns, write: (text: string) => written.push(text) > 0 });
  try {
    const bar = startProgress({ title, isTerminal: true, print() {} });
    bar.update(10_000, 22_245);
    bar.stop();
  } finally {
    Object.assign(stderr, { write, isTTY, columns: own });
  }
  return written.filter(text => text.includes('%')).map(text => text.slice(0, columns));
}

test('a bar fits its terminal, and a narrow one shows the percentage too', t => {
  const numbers = '44 % (10000/22245)';
  for (const [columns, title, pattern] of [
    [80, 'Building g2', /^Building g2 .{40} 44 % \(10000\/22245\)$/],
    [60, 'Building g2', /^Building g2 .{27} 44 % \(10000\/22245\)$/],
    [40, 'Building g2', /^Building g2 .{7} 44 % \(10000\/22245\)$/],
    [40, 'Verifying the generation g2', /^44 % \(10000\/22245\) Verifying the gener$/],
    [20, 'Building g2', /^44 % \(10000\/22245\) $/],
  ] as const) {
    const lines = shownOn(columns, title);
    t.true(lines.length > 0);
    for (const line of lines) {
      t.true(line.includes(numbers), line);
      t.regex(line, pattern);
    }
  }
});
