// Shows the progress of long work: a bar on a terminal, otherwise a line from time to time.
import { Presets, SingleBar } from 'cli-progress';
import { printable } from '../../process/printable.ts';

export interface ProgressBar {
  /**
   * @param total 1 for work without a measure, which is shown on a terminal only
   * @param title of the current part of the work; the last one by default
   */
  update(done: number, total: number, title?: string): void;
  /** Prints a line between the updates. */
  say(line: string): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly title: string;
  readonly isTerminal: boolean;
  readonly print: (line: string) => void;
  /** A monotonic clock in milliseconds; that of the process by default. */
  readonly nowMs?: () => number;
}

/** Without a terminal, each tenth prints a line, at most one a second; without a new tenth, one every 30 s. */
const LINE_MS_MIN = 1000;
const LINE_MS_MAX = 30_000;

/** Returns whether there is a terminal for a bar, which goes to standard error. */
export function canDraw(isTerminal: boolean): boolean {
  return isTerminal && process.stderr.isTTY === true && process.env.TERM !== 'dumb';
}

export function startProgress(options: ProgressOptions): ProgressBar {
  const { title, isTerminal, print, nowMs = () => performance.now() } = options;
  return canDraw(isTerminal) ? startBar(title, print) : startLines(title, print, nowMs);
}

function startBar(firstTitle: string, print: (line: string) => void): ProgressBar {
  let title = firstTitle;
  let bar: SingleBar | null = null;
  function stop(): void {
    process.off('exit', stop);
    bar?.stop();
    bar = null;
  }
  return {
    update(done, total, now = title) {
      if (now !== title) stop();
      title = now;
      if (bar === null) {
        bar = createBar(title, Math.max(total, 1));
        // A process that ends at a signal gives the terminal its cursor back.
        process.once('exit', stop);
        bar.start(Math.max(total, 1), done);
      }
      bar.setTotal(Math.max(total, 1));
      bar.update(done);
    },
    say(line) {
      // The bar clears its line when it stops; the next update draws it again below.
      stop();
      print(line);
    },
    stop,
  };
}

const BAR_CHARACTERS_MAX = 40;
/** A shorter bar shows nothing. */
const BAR_CHARACTERS_MIN = 5;

function createBar(title: string, total: number): SingleBar {
  // A terminal that does not know its width says 0.
  const columns = process.stderr.columns || 80;
  return new SingleBar(
    { ...barLayout(printable(title), total, columns), hideCursor: true, clearOnComplete: true },
    Presets.rect,
  );
}

// A terminal cuts a longer line, and the percentage is what it must not lose.
function barLayout(title: string, total: number, columns: number) {
  const numbers = `100 % (${total}/${total})`;
  const barsize = Math.min(BAR_CHARACTERS_MAX, columns - `${title}  ${numbers}`.length - 1);
  if (barsize >= BAR_CHARACTERS_MIN) {
    return { format: `${title} {bar} {percentage} % ({value}/{total})`, barsize };
  }
  const room = columns - `${numbers} `.length - 1;
  return { format: `{percentage} % ({value}/{total}) ${title.slice(0, Math.max(0, room))}` };
}

function startLines(
  firstTitle: string,
  print: (line: string) => void,
  nowMs: () => number,
): ProgressBar {
  let title = firstTitle;
  let reportedAtMs = nowMs();
  let reportedTenths = 0;
  return {
    update(done, total, now = title) {
      const isOther = now !== title;
      title = now;
      if (isOther) reportedTenths = 0;
      const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
      const tenths = Math.floor(percent / 10);
      const sinceMs = nowMs() - reportedAtMs;
      if (total === 1) return;
      if (!isOther && sinceMs < (tenths > reportedTenths ? LINE_MS_MIN : LINE_MS_MAX)) return;
      reportedAtMs = nowMs();
      reportedTenths = tenths;
      print(`${title}: ${done} of ${total} (${percent} %)`);
    },
    say: print,
    stop() {},
  };
}
