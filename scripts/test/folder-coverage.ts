// The coverage of a folder, from the lines that c8 writes for each file (coverage/lcov.info). Pure.

export interface FolderCoverage {
  /** Percent, 0 if the report has no file of the folder. */
  readonly lines: number;
  readonly branches: number;
}

/** `LH:3` and `LF:4` mean that tests reach 3 of a file's 4 lines; `BRH` and `BRF` are the same for branches. */
export function folderCoverage(lcov: string, folder: string): FolderCoverage {
  const files = lcov.split('end_of_record').filter(file => file.includes(`SF:${folder}/`));
  const sum = (counter: string) => files.reduce((total, file) => total + countOf(file, counter), 0);
  return {
    lines: percent(sum('LH'), sum('LF')),
    branches: percent(sum('BRH'), sum('BRF')),
  };
}

function countOf(file: string, counter: string): number {
  return Number(new RegExp(`^${counter}:(\\d+)$`, 'm').exec(file)?.[1] ?? 0);
}

function percent(reached: number, all: number): number {
  return all === 0 ? 0 : (reached / all) * 100;
}
