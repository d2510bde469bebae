// Tells when readers may have trouble: while the database has no primary that they can reach.

export interface Weather {
  /** Trouble until what it answers is called, and a little longer. */
  begin(): () => void;
  /** Whether there was trouble at any time since then (epoch milliseconds). */
  wasBad(since: number): boolean;
}

/** Drivers find a new primary, and give up waiting for the old one. */
const AFTERMATH_MS = 12_000;

export function createWeather(): Weather {
  let under = 0;
  let endedAt = 0;
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
    wasBad: since => under > 0 || since < endedAt + AFTERMATH_MS,
  };
}
