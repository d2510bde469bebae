// Text from outside cannot command a terminal, and is cut where it is quoted.
import test from 'ava';
import { printable, shown, withShortLines } from '../../src/process/printable.ts';

test('control characters and marks of direction are escaped, and JSON keeps its meaning', t => {
  t.is(
    printable('a\u001b[31mb\u009b\u007f\r\u202e\u2028'),
    'a\\u001b[31mb\\u009b\\u007f\\u000d\\u202e\\u2028',
  );
  t.is(printable('plain — ü 🥡\t\n'), 'plain — ü 🥡\t\n');
  const value = { text: '\u001b\u009b\u202e\u0000"\\' };
  t.deepEqual(JSON.parse(printable(JSON.stringify(value))), value);
});

test('a quoted text has at most 40 characters, whole ones', t => {
  t.is(shown('a"b\n'), '"a\\"b\\n"');
  t.is(shown('x'.repeat(40)), `"${'x'.repeat(40)}"`);
  t.is(shown('x'.repeat(41)), `"${'x'.repeat(40)}" and more`);
  t.is(shown('🥡'.repeat(40)), `"${'🥡'.repeat(40)}"`);
  t.is(shown('🥡'.repeat(5000)), `"${'🥡'.repeat(40)}" and more`);
});

test('long lines are cut one by one', t => {
  const cut = `${'x'.repeat(1000)} … and 2,145 characters more`;
  t.is(withShortLines(`a\n${'x'.repeat(3145)}\nb`), `a\n${cut}\nb`);
});
