// A sleep that can be ended from outside, also before it begins.

export type Sleeper = ReturnType<typeof createSleeper>;

/** @param signal ends the sleep when it aborts */
export function createSleeper(signal?: AbortSignal) {
  let woken = false;
  let end: (() => void) | undefined;
  const wake = () => {
    woken = true;
    end?.();
  };
  signal?.addEventListener('abort', wake);
  return {
    wake,
    /** Forgets the signal. */
    dispose: () => signal?.removeEventListener('abort', wake),
    /** Returns whether it was woken in time. */
    async sleep(ms: number): Promise<boolean> {
      if (!woken && ms > 0) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>(resolve => {
          end = resolve;
          timer = setTimeout(resolve, ms);
        });
        clearTimeout(timer);
        end = undefined;
      }
      const inTime = woken && ms > 0;
      woken = false;
      return inTime;
    },
  };
}
