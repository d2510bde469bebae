// Progress of long work: a bar on a terminal, one line at the beginning elsewhere.
import { Presets, SingleBar } from 'cli-progress';

export interface ProgressBar {
  update(done: number, total: number): void;
  stop(): void;
}

export function startProgress(
  title: string,
  isTerminal: boolean,
  print: (line: string) => void,
): ProgressBar {
  if (!isTerminal) {
    print(title);
    return { update() {}, stop() {} };
  }
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
