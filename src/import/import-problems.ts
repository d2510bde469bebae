// Collects the problems of an imported file, so that one error reports all of them with their places.
import { UserError } from '../process/errors.ts';

/** Further problems are only counted. */
const SHOWN_MAX = 50;

export interface ImportProblems {
  add(origin: string, problem: string): void;
  /** @throws UserError that lists the problems, if there are any */
  throwIfAny(): void;
}

export function createImportProblems(): ImportProblems {
  const lines: string[] = [];
  return {
    add: (origin, problem) => lines.push(`${origin}: ${problem}`),
    throwIfAny() {
      if (lines.length === 0) return;
      const more = lines.length > SHOWN_MAX ? [`and ${lines.length - SHOWN_MAX} more`] : [];
      throw new UserError(
        [...lines.slice(0, SHOWN_MAX), ...more, 'Nothing was imported'].join('\n'),
      );
    },
  };
}
