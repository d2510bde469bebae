import test from 'ava';
import { tapCounts } from '../../scripts/test/tap-counts.ts';

const PASSED = 'ok 1 - adds';
const FAILED = 'not ok 2 - subtracts\n  ---\n    name: AssertionError\n  ...';
const SKIPPED = 'ok 3 - needs Kafka # SKIP';

function tap(lines: readonly string[], fail: number): string {
  return ['TAP version 13', ...lines, '', '1..9', `# fail ${fail}`, ''].join('\n');
}

test('the counts include passed and failed tests, and not skipped ones', t => {
  const counts = tapCounts(tap([PASSED, FAILED, SKIPPED, 'ok 4 - multiplies'], 1), 1);
  t.deepEqual(counts, { passed: 2, failed: 1 });
});

test('the summary gives the number of tests that never started', t => {
  t.deepEqual(tapCounts(tap([PASSED, FAILED], 4), 1), { passed: 1, failed: 4 });
});

test('a run that fails without a failing test counts as one failure', t => {
  t.deepEqual(tapCounts(tap([PASSED], 0), 1), { passed: 1, failed: 1 });
  t.deepEqual(tapCounts('', 1), { passed: 0, failed: 1 });
});

test('skipped tests alone count as no tests', t => {
  t.deepEqual(tapCounts(tap([SKIPPED], 0), 0), { passed: 0, failed: 0 });
});

test('lines that a test prints do not count', t => {
  const output = [PASSED, '# ok 2 - said a test', '  not ok 3 - in a diagnosis', 'okay'];
  t.deepEqual(tapCounts(tap(output, 0), 0), { passed: 1, failed: 0 });
});
