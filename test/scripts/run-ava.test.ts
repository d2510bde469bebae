import test from 'ava';
import { avaCommand } from '../../scripts/test/run-ava.ts';

test('npm test runs everything, with coverage', t => {
  t.deepEqual(avaCommand([], false), ['c8', 'ava']);
  t.deepEqual(avaCommand([], true), ['c8', 'ava', '--tap']);
});

test('npm test -- test/foo.test.ts runs the compiled file, without coverage', t => {
  const args = ['test/http/foo.test.ts', './test/bar.test.ts', '--match', '*test/x*'];
  t.deepEqual(avaCommand(args, false), [
    'ava',
    'dist/test/http/foo.test.js',
    'dist/test/bar.test.js',
    '--match',
    '*test/x*',
  ]);
});
