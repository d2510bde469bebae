// The sizes of all figures: small takes some minutes, the goals are set for full.

interface BudgetSizes {
  readonly budgets: number;
  /** Events of each budget. */
  readonly events: number;
}

export interface Sizes {
  /** Number of pairs of baseline and subject. */
  readonly rounds: number;
  /** Duration of one measurement under load. */
  readonly loadMs: number;
  /** Number of requests of one measurement of latency. */
  readonly requests: number;
  readonly replayEvents: number;
  readonly replayBudgets: number;
  readonly replayRounds: number;
  readonly handWrittenEvents: number;
  readonly memoryEvents: readonly [number, number];
  readonly manyBudgets: {
    readonly few: BudgetSizes;
    readonly small: BudgetSizes;
    /** Budgets of one event. */
    readonly single: number;
  };
  readonly sharedEvents: number;
  readonly liveSeconds: number;
  readonly rebuiltEvents: number;
  readonly largeRows: number;
  readonly deepOffset: number;
  readonly searchedRows: number;
  readonly renamedRows: number;
}

export const SIZES: Readonly<Record<'small' | 'full', Sizes>> = {
  small: {
    rounds: 5,
    loadMs: 1500,
    requests: 60,
    replayEvents: 100_000,
    replayBudgets: 40,
    replayRounds: 2,
    handWrittenEvents: 5000,
    memoryEvents: [50_000, 250_000],
    manyBudgets: {
      few: { budgets: 40, events: 2500 },
      small: { budgets: 2000, events: 50 },
      single: 10_000,
    },
    sharedEvents: 100_000,
    liveSeconds: 10,
    rebuiltEvents: 400_000,
    largeRows: 100_000,
    deepOffset: 90_000,
    searchedRows: 100_000,
    renamedRows: 30_000,
  },
  full: {
    rounds: 9,
    loadMs: 3000,
    requests: 200,
    replayEvents: 1_000_000,
    replayBudgets: 200,
    replayRounds: 1,
    handWrittenEvents: 5000,
    memoryEvents: [1_000_000, 5_000_000],
    manyBudgets: {
      few: { budgets: 200, events: 5000 },
      small: { budgets: 20_000, events: 50 },
      single: 100_000,
    },
    sharedEvents: 500_000,
    liveSeconds: 30,
    rebuiltEvents: 1_000_000,
    largeRows: 1_000_000,
    deepOffset: 900_000,
    searchedRows: 100_000,
    renamedRows: 100_000,
  },
};
