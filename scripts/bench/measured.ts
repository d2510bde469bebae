// The result of a figure: its values, those of a baseline in the same run, and the goal (pure).
import { median } from './arithmetic.ts';

export type Bound = { readonly atLeast: number } | { readonly atMost: number };

/** Reached if every bound is kept. A figure without a bound is only shown. */
export interface Goal {
  /** Bound of the subject in proportion to the baseline. */
  readonly ratio?: Bound;
  /** Bound of the subject's own value. */
  readonly value?: Bound;
}

/** Values by round; the two values of a round are measured right after one another. */
export interface Rounds {
  readonly subject: readonly number[];
  readonly baseline: readonly number[];
}

export interface Measured {
  readonly what: string;
  /** Describes the baseline. */
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

/** Judges by the median of the ratios of all rounds, which hides anything that slows a whole round down. */
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

/** Returns the names of the figures whose goal is missed. */
export function missed(measured: readonly Measured[]): string[] {
  const those = measured.filter(one => !judge(one).reached);
  return those.map(({ what, against }) => `${what} (${against})`);
}

/** Runs both in turns, `count` times each. */
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
