// The windows of rate limits begin at full minutes of the clock.

/**
 * Runs `operation` within one minute of the clock. If the minute ends meanwhile, repeats it with newly prepared state.
 */
export async function withinOneMinute<S, T>(
  prepare: () => Promise<S>,
  operation: (prepared: S) => Promise<T>,
): Promise<T> {
  for (;;) {
    const prepared = await prepare();
    const minute = currentMinute();
    const result = await operation(prepared);
    if (currentMinute() === minute) return result;
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000);
}
