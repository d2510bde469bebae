import test from 'ava';
import {
  type CheckedLines,
  checkLines,
  parseLines,
  subjectsIn,
  type Tail,
} from '../../src/event-log/check-append.ts';
import { RECORD_BYTES_MAX } from '../../src/event-log/event-log.ts';
import { splitLines } from '../../src/event-log/split-lines.ts';
import { row } from '../model/scene.ts';

interface Parts {
  readonly [attribute: string]: unknown;
}

/** A line with a valid event of stream `b`, overridden by `parts`. */
function line(sequence: number, parts: Parts = {}): string {
  return JSON.stringify({
    specversion: '1.0',
    id: `event-${parts.subject ?? 'b'}-${sequence}`,
    source: '/test',
    type: 'label.added',
    time: '2026-01-02T03:04:05Z',
    subject: 'b',
    sequence,
    schemaversion: 1,
    data: { labelId: `label-${sequence}`, name: 'A name' },
    ...parts,
  });
}

function tail(sequence: number, waiting: readonly number[] = [], id: string | null = null): Tail {
  return { sequence, id, waiting: new Set(waiting) };
}

async function check(text: string, tails: Record<string, Tail> = {}): Promise<CheckedLines> {
  const parsed = await parseLines(splitLines([Buffer.from(text)]));
  return checkLines(parsed, new Map(Object.entries(tails)));
}

interface Row {
  readonly name: string;
  readonly lines: readonly string[];
  readonly tails?: Record<string, Tail>;
  /** By line; none for accepted input. */
  readonly problems?: Record<number, RegExp>;
}

const UNKNOWN_TYPE = { type: 'goal.set', data: { any: ['thing'] } };

const ROWS: readonly Row[] = [
  { name: 'a new stream begins with 1', lines: [line(1), line(2), line(3)] },
  {
    name: 'a new stream that begins later has a gap',
    lines: [line(2), line(3)],
    problems: { 1: /^Expected sequence 1 of b, got 2$/ },
  },
  {
    name: 'a line that nobody can read may be the missing event: the lines after it are no gap',
    lines: [line(1), 'x'.repeat(5_000_000), line(3), line(4), '{', line(6), line(8)],
    problems: {
      2: /^Expected at most 1048576 bytes/,
      5: /JSON/,
      7: /^Expected sequence 7 of b, got 8$/,
    },
  },
  { name: 'a known stream continues', lines: [line(8), line(9)], tails: { b: tail(7) } },
  {
    name: 'a gap is reported once, at its line',
    lines: [line(8), line(10), line(11), line(13)],
    tails: { b: tail(7) },
    problems: { 2: /Expected sequence 9 of b, got 10/, 4: /Expected sequence 12 of b, got 13/ },
  },
  {
    name: 'each stream has its own sequences',
    lines: [line(4), line(1, { subject: 'c' }), line(5), line(2, { subject: 'c' })],
    tails: { b: tail(3) },
  },
  {
    name: 'rules/events.md#append: it refuses an event that is already in the log, naming its line',
    lines: [line(1), line(2), line(3), line(4)],
    tails: { b: tail(3, [], 'event-b-3') },
    problems: {
      1: /^Already in the log: sequence 1 of b \(the last there is 3\)$/,
      2: /^Already in the log: sequence 2 of b/,
      3: /^Already in the log: sequence 3 of b/,
    },
  },
  {
    name: 'a sequence that another event has taken is reported as such',
    lines: [line(3)],
    tails: { b: tail(3, [], 'event-other') },
    problems: { 1: /in the log already, with another event \(event-other\)/ },
  },
  {
    name: 'the missing event closes a gap in the log, and the waiting ones count',
    lines: [line(4), line(7)],
    tails: { b: tail(3, [5, 6]) },
  },
  {
    name: 'an event that waits behind a gap is already in the log',
    lines: [line(4), line(5), line(7)],
    tails: { b: tail(3, [5, 6]) },
    problems: { 2: /^Already in the log: sequence 5 of b/ },
  },
  {
    name: 'the same line twice',
    lines: [line(1), line(2), line(1)],
    problems: { 3: /^Sequence 1 of b is on line 1 already$/ },
  },
  {
    name: 'two events with one sequence',
    lines: [line(1), line(1, { id: 'event-other' })],
    problems: { 2: /^Sequence 1 of b is on line 1 already$/ },
  },
  {
    name: 'one event with two sequences',
    lines: [line(1), line(2, { id: 'event-b-1' })],
    problems: { 2: /^The event event-b-1 is on line 1 already$/ },
  },
  {
    name: 'one id from two sources is two events',
    lines: [line(1), line(2, { id: 'event-b-1', source: '/other' })],
  },
  {
    name: 'lines in the wrong order',
    lines: [line(2), line(1)],
    problems: {
      1: /^Expected sequence 1 of b, got 2$/,
      2: /^Sequence 1 of b comes too late, after 2$/,
    },
  },
  {
    name: 'rules/events.md#append: it takes unknown event types',
    lines: [line(1, UNKNOWN_TYPE), line(2)],
  },
  {
    name: 'rules/events.md#append: the sequence of unknown event types is checked',
    lines: [line(1), line(3, UNKNOWN_TYPE)],
    problems: { 2: /^Expected sequence 2 of b, got 3$/ },
  },
  {
    name: 'rules/events.md#append: the envelope of unknown event types is checked',
    lines: [line(1, { ...UNKNOWN_TYPE, time: 'yesterday' })],
    problems: { 1: /time/ },
  },
  {
    name: 'an event against its schema still takes its sequence',
    lines: [line(1, { data: { labelId: 'l' } }), line(2), line(3)],
    problems: { 1: /name/ },
  },
  {
    name: 'an unknown version of a known type',
    lines: [line(1, { schemaversion: 2 })],
    problems: { 1: /^Expected a known schemaversion of label\.added, got 2$/ },
  },
  {
    name: 'text that is no JSON, and JSON that is no object',
    lines: ['{"id":', '[]', line(1)],
    problems: { 1: /^Expected an event as JSON/, 2: /^Expected an event as a JSON object/ },
  },
  {
    name: 'an empty line, and one of spaces',
    lines: [line(1), '', line(2), '  \t', line(3)],
    problems: {
      2: /^Expected an event, got an empty line$/,
      4: /^Expected an event, got an empty line$/,
    },
  },
  {
    name: 'a subject that occurs twice',
    lines: [line(1).replace('{', '{"subject":"c",')],
    problems: { 1: /^Expected one subject, got several$/ },
  },
  {
    name: 'a line larger than a record may be',
    lines: [line(1), line(2, { data: { labelId: 'l', name: 'x'.repeat(RECORD_BYTES_MAX) } })],
    problems: { 2: /^Expected at most 1048576 bytes, got more$/ },
  },
];

for (const { name, lines, tails = {}, problems = {} } of ROWS) {
  test(name, async t => {
    const checked = await check(`${lines.join('\n')}\n`, tails);
    const found = checked.ok ? [] : checked.problems;
    t.deepEqual(
      found.map(problem => problem.line),
      Object.keys(problems).map(Number),
    );
    for (const { line: number, reason } of found) t.regex(reason, problems[number] ?? /^$/);
    if (!checked.ok) return;
    t.deepEqual(
      checked.records.map(record => record.value),
      lines,
    );
    t.deepEqual(
      checked.records.map(record => record.key),
      lines.map(text => (JSON.parse(text) as { subject: string }).subject),
    );
  });
}

test('the text of a line stays unchanged, except for a carriage return', async t => {
  const texts = [
    ` ${line(1, { data: { labelId: 'l', name: 'A\u2028B' } })} `,
    line(2).replace('{', '{ '),
  ];
  const checked = await check(`${texts[0]}\r\n${texts[1]}`);
  t.deepEqual(checked.ok && checked.records.map(record => record.value), texts);
});

test('one fault has one reason, also where a schema has a condition', async t => {
  const { type, data } = row('r', { cleared: false, reconciled: true });
  const checked = await check(line(1, { type, data }));
  const reason = 'Expected data.cleared to be true, got false';
  t.deepEqual(checked.ok ? [] : checked.problems, [{ line: 1, reason }]);
});

test('an empty input has no records to append', async t => {
  t.deepEqual(await check(''), { ok: true, records: [] });
});

test('invalid lines need the tails of their subjects too', async t => {
  const text = [line(1), line(1, { subject: 'c', data: {} }), 'no JSON'].join('\n');
  t.deepEqual(subjectsIn(await parseLines(splitLines([Buffer.from(text)]))), new Set(['b', 'c']));
});
