// Every figure, in the order in which they are measured.
import type { Figure } from './bench.ts';
import { answers } from './figures/answers.ts';
import { matchingEtag } from './figures/matching-etag.ts';
import { readerMemory } from './figures/reader-memory.ts';
import { replaying } from './figures/replay.ts';
import { start } from './figures/start.ts';
import { transactions } from './figures/transactions.ts';

export const FIGURES: readonly Figure[] = [
  transactions,
  answers,
  matchingEtag,
  readerMemory,
  start,
  replaying,
];
