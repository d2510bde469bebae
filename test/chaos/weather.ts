// Tells when readers may have trouble: while the database has no primary that they can reach, and while the machine
// that all of this runs on stands still.

export interface Weather {
  /** Trouble until what it answers is called, and a little longer. */
  begin(): () => void;
  /** Whether there was trouble at any time since then (epoch milliseconds). */
  wasBad(since: number): boolean;
  /** Whether this process was kept waiting for the machine at any time since then. */
  wasStarved(since: number): boolean;
  /** How often it was kept waiting. */
  starved(): number;
  stop(): void;
}

/** Drivers find a new primary, and give up waiting for the old one. */
const AFTERMATH_MS = 12_000;
const PULSE_MS = 100;
/** A timer that is so late was kept waiting; others wait as well, and time limits strike. */
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
