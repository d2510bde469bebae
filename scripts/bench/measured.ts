// What a figure comes to: a value, that of a baseline in the same run, and the goal (pure).
import { median } from './arithmetic.ts';

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** Reached where every bound is kept. */
export interface Goal {
  /** On the subject in proportion to the baseline. */
  readonly ratio?: Bound;
  /** On the subject's own value. */
  readonly value?: Bound;
}

/** Values by round, in pairs that were measured one right after the other. */
export interface Rounds {
  readonly subject: readonly number[];
  readonly baseline: readonly number[];
}

export interface Measured {
  readonly what: string;
  /** What it is compared with. */
  readonly against: string;
  readonly unit: string;
  readonly rounds: Rounds;
  readonly goal: Goal;
}

export interface Judged {
  readonly subject: number;
  readonly baseline: number;
  readonly ratio: number;
  readonly reached: boolean;
}

/** The ratio is the median of the ratios of the pairs: what slows a whole pair down does not count. */
export function judge({ rounds, goal }: Measured): Judged {
  const ratios = rounds.subject.map(
    (value, round) => value / (rounds.baseline[round] ?? Number.NaN),
  );
  const ratio = median(ratios);
  const subject = median(rounds.subject);
  const reached = isKept(goal.ratio, ratio) && isKept(goal.value, subject);
  return { subject, baseline: median(rounds.baseline), ratio, reached };
}

function isKept(bound: Bound | undefined, value: number): boolean {
  if (bound === undefined) return true;
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

/** Runs both in turns, and as many times. */
export async function alternate(
  count: number,
  baseline: () => Promise<number>,
  subject: () => Promise<number>,
): Promise<Rounds> {
  const rounds = { subject: [] as number[], baseline: [] as number[] };
  for (let round = 0; round < count; round += 1) {
    rounds.baseline.push(await baseline());
    rounds.subject.push(await subject());
  }
  return rounds;
}
