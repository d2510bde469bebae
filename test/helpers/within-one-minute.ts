// Windows of the limits are cut by the minute of the clock.

/**
 * Does something within one minute of the clock: where that ended meanwhile, all of it is done again on what is
 * prepared anew.
 */
export async function withinOneMinute<S, T>(
  prepare: () => Promise<S>,
  work: (prepared: S) => Promise<T>,
): Promise<T> {
  for (;;) {
    const prepared = await prepare();
    const minute = currentMinute();
    const result = await work(prepared);
    if (currentMinute() === minute) return result;
  }
}

function currentMinute(): number {
  return Math.floor(Date.now() / 60_000);
}
