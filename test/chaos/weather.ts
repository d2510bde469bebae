// Records when readers may have trouble: while the database has no primary that they can reach, and while this machine
// stalls.

export interface Weather {
  /** Begins a time of trouble, which ends a little after the returned function is called. */
  begin(): () => void;
  /** Returns whether there was trouble at any time since then (epoch milliseconds). */
  wasBad(since: number): boolean;
  /** Returns whether the machine starved this process at any time since then. */
  wasStarved(since: number): boolean;
  /** The number of times that it did. */
  starved(): number;
  stop(): void;
}

/** Drivers need this time to find a new primary, and to give up on the old one. */
const AFTERMATH_MS = 12_000;
const PULSE_MS = 100;
/** A timer this late means that other processes stalled too, and that timeouts may have struck. */
const LATE_MS = 300;

export function createWeather(): Weather {
  let under = 0;
  let endedAt = 0;
  let lateAt = 0;
  let lates = 0;
  let expectedAt = Date.now() + PULSE_MS;
  const pulse = setInterval(() => {
    const now = Date.now();
    if (now > expectedAt + LATE_MS) {
      lateAt = now;
      lates += 1;
    }
    expectedAt = now + PULSE_MS;
  }, PULSE_MS);
  const wasStarved = (since: number) => since < lateAt + AFTERMATH_MS;
  return {
    begin() {
      under += 1;
      let over = false;
      return () => {
        if (over) return;
        over = true;
        under -= 1;
        endedAt = Date.now();
      };
    },
    wasBad: since => under > 0 || since < endedAt + AFTERMATH_MS || wasStarved(since),
    wasStarved,
    starved: () => lates,
    stop: () => clearInterval(pulse),
  };
}
