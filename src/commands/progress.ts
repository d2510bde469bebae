// Progress of long work: a bar on a terminal, now and then a line elsewhere.
import { Presets, SingleBar } from 'cli-progress';

export interface ProgressBar {
  update(done: number, total: number): void;
  stop(): void;
}

/** A line comes where a tenth more is done, yet no two within a second; and where there was none for long. */
const LINE_MS_MIN = 1000;
const LINE_MS_MAX = 30_000;

export function startProgress(
  title: string,
  isTerminal: boolean,
  print: (line: string) => void,
  nowMs: () => number = () => performance.now(),
): ProgressBar {
  if (!isTerminal) return startLines(title, print, nowMs);
  const bar = new SingleBar(
    {
      format: `${title} {bar} {percentage} % ({value}/{total})`,
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.rect,
  );
  let begun = false;
  return {
    update(done, total) {
      if (!begun) bar.start(Math.max(total, 1), done);
      begun = true;
      bar.setTotal(Math.max(total, 1));
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

function startLines(
  title: string,
  print: (line: string) => void,
  nowMs: () => number,
): ProgressBar {
  let saidAtMs = nowMs();
  let saidTenths = 0;
  return {
    update(done, total) {
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      const tenths = Math.floor(percent / 10);
      const sinceMs = nowMs() - saidAtMs;
      if (sinceMs < (tenths > saidTenths ? LINE_MS_MIN : LINE_MS_MAX)) return;
      saidAtMs = nowMs();
      saidTenths = tenths;
      print(`${title}: ${done} of ${total} (${percent} %)`);
    },
    stop() {},
  };
}
