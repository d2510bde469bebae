// One bad stream is parked; many at once are a bug of ours, or of the producer: the projector halts instead.

/** Streams that may park in a window whatever their share. */
const PARKED_MIN = 20;
/** The share of all streams above which parking is taken for a bug. */
const SHARE_MAX = 0.1;
const WINDOW_MS = 60_000;

export class TooManyParkedError extends Error {
  override readonly name = 'TooManyParkedError';
}

export interface ParkingAlarm {
  /** To be called before a chunk commits, with the streams that it would park. Throws TooManyParkedError. */
  check(parking: number, countStreams: () => Promise<number>): Promise<void>;
  /** To be called once they are parked: a chunk that is tried again is not counted twice. */
  count(parking: number): void;
}

export function createParkingAlarm(nowMs: () => number): ParkingAlarm {
  let windowStartMs = nowMs();
  let parked = 0;
  return {
    async check(parking, countStreams) {
      if (parking === 0) return;
      if (nowMs() - windowStartMs > WINDOW_MS) {
        windowStartMs = nowMs();
        parked = 0;
      }
      const would = parked + parking;
      if (would < PARKED_MIN) return;
      const streams = await countStreams();
      if (would <= streams * SHARE_MAX) return;
      const what = `${would} of ${streams} streams would be parked within ${WINDOW_MS / 1000} s`;
      throw new TooManyParkedError(`${what}: this looks like a bug, nothing was applied`);
    },
    count(parking) {
      parked += parking;
    },
  };
}
