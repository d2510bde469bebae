// Fails a test process that something keeps alive after its tests, and says what: ava would fail after ten minutes, without a
// reason. Loaded by ava.config.js in each process. `.ci/run` repeats the line at its end.
import test, { registerCompletionHandler } from 'ava';

/** What is closing gets so long; most processes end at once. */
const CLOSING_MS_MAX = 60_000;

registerCompletionHandler(() => {
  const end = (): void => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`\nLEFT OPEN: ${test.meta.file}: ${open}\n`);
    process.exit(1);
  };
  // A process that nothing keeps alive does not wait for it.
  setTimeout(end, CLOSING_MS_MAX).unref();
});
