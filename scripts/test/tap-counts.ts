// Counts the tests in ava's TAP output: a skipped test has not passed, a planned one has failed.

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** `exitCode` is ava's: a run that fails without a failed test (a broken hook, a crash) counts as one failure. */
export function tapCounts(tap: string, exitCode: number): Counts {
  const lines = tap.split('\n');
  const passed = lines.filter(line => /^ok \d/.test(line) && !/# SKIP\b/.test(line)).length;
  const broken = lines.filter(line => /^not ok \d/.test(line)).length;
  // Only the summary counts tests that never started, only the lines include broken hooks.
  const summary = Number(/^# fail (\d+)$/m.exec(tap)?.[1] ?? 0);
  const failed = Math.max(broken, summary);
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}
