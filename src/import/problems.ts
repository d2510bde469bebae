// What is wrong with a person's file: all of it is told at once, each with its place.
import { UserError } from '../errors.ts';

const SHOWN_MAX = 50;

export interface Problems {
  add(origin: string, problem: string): void;
  /** @throws UserError that lists them, where there are any */
  throwIfAny(): void;
}

export function createProblems(): Problems {
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
