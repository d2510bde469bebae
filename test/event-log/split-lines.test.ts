import test from 'ava';
import { RECORD_BYTES_MAX } from '../../src/event-log/event-log.ts';
import { type InputLimits, splitLines } from '../../src/event-log/split-lines.ts';
import { UserError } from '../../src/process/errors.ts';

async function split(pieces: readonly string[], limits?: InputLimits) {
  const found: [number, string | null][] = [];
  const bytes = pieces.map(piece => Buffer.from(piece, 'latin1'));
  for await (const { line, bytes: text } of splitLines(bytes, limits)) {
    found.push([line, text === null ? null : text.toString('latin1')]);
  }
  return found;
}

for (const [name, pieces, lines] of [
  ['nothing', [], []],
  ['a line feed at the end begins no line', ['a\nb\n'], ['a', 'b']],
  ['a last line without a line feed counts', ['a\nb'], ['a', 'b']],
  ['empty lines are lines', ['\n\na\n\n'], ['', '', 'a', '']],
  ['a line may come in pieces', ['a', 'b', '', 'c\nd', '\n', 'e'], ['abc', 'd', 'e']],
  [
    'a carriage return before the line feed is dropped',
    ['a\r\nb\r', '\nc\rd\r'],
    ['a', 'b', 'c\rd'],
  ],
  ['U+2028 is no line end', ['a\xe2\x80\xa8b\n'], ['a\xe2\x80\xa8b']],
] as const) {
  test(name, async t => {
    t.deepEqual(
      await split(pieces),
      lines.map((text, index) => [index + 1, text]),
    );
  });
}

test('a line that is too long is skipped, and the others stay', async t => {
  const most = 'x'.repeat(RECORD_BYTES_MAX);
  t.deepEqual(await split(['a\n', most, 'x', '\nb\n', most, '\r\n', most, 'x\nc']), [
    [1, 'a'],
    [2, null],
    [3, 'b'],
    [4, most],
    [5, null],
    [6, 'c'],
  ]);
});

test('more lines or bytes than the limits are a user error', async t => {
  const limits = { linesMax: 2, bytesMax: 10 };
  t.is((await split(['a\nb\n'], limits)).length, 2);
  await t.throwsAsync(split(['a\nb\nc'], limits), {
    instanceOf: UserError,
    message: /at most 2 lines/,
  });
  await t.throwsAsync(split(['aaaaa', 'bbbbbb'], limits), {
    instanceOf: UserError,
    message: /at most 10 bytes/,
  });
});
