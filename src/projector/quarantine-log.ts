// Logs quarantined records: the first one at once, and then at most one line in a while, however many come.
import type { Logger } from '../process/log.ts';
import { counted } from '../process/printable.ts';
import type { StoredQuarantined } from '../store/collections.ts';

type Quarantined = Pick<StoredQuarantined, 'partition' | 'offset' | 'reason'>;

/** Between two lines; the records that came meanwhile are counted in the second one. */
const BETWEEN_LINES_MS = 10_000;

export interface QuarantineLog {
  report(quarantined: readonly Quarantined[]): void;
}

export function createQuarantineLog(logger: Logger, betweenMs = BETWEEN_LINES_MS): QuarantineLog {
  let isResting = false;
  let unreported = 0;
  let last: Quarantined | undefined;

  function write(what: string, { partition, offset, reason }: Quarantined): void {
    logger.warn({ partition, offset }, `${what}: ${reason}`);
    isResting = true;
    setTimeout(endRest, betweenMs).unref();
  }

  function endRest(): void {
    isResting = false;
    if (last) write(`${counted(unreported, 'more record')} quarantined, the last one`, last);
    unreported = 0;
    last = undefined;
  }

  return {
    report(quarantined) {
      for (const one of quarantined) {
        if (!isResting) {
          write('Record quarantined', one);
          continue;
        }
        unreported += 1;
        last = one;
      }
    },
  };
}
