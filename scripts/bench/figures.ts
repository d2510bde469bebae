// All figures, in the order of measurement.
import type { Figure } from './bench.ts';
import { answers } from './figures/answers.ts';
import { assistants } from './figures/assistants.ts';
import { balances } from './figures/balances.ts';
import { changes } from './figures/changes.ts';
import { compression } from './figures/compression.ts';
import { deepPages } from './figures/deep-pages.ts';
import { envelopes } from './figures/envelopes.ts';
import { filters } from './figures/filters.ts';
import { flat } from './figures/flat.ts';
import { live } from './figures/live.ts';
import { manyBudgets } from './figures/many-budgets.ts';
import { matchingEtag } from './figures/matching-etag.ts';
import { peers } from './figures/peers.ts';
import { processes } from './figures/processes.ts';
import { projectorMemory } from './figures/projector-memory.ts';
import { readerMemory } from './figures/reader-memory.ts';
import { rebuild } from './figures/rebuild.ts';
import { rename } from './figures/rename.ts';
import { replaying } from './figures/replay.ts';
import { search } from './figures/search.ts';
import { start } from './figures/start.ts';
import { streams } from './figures/streams.ts';
import { sums } from './figures/sums.ts';
import { transactions } from './figures/transactions.ts';

export const FIGURES: readonly Figure[] = [
  transactions,
  answers,
  matchingEtag,
  compression,
  assistants,
  readerMemory,
  start,
  flat,
  deepPages,
  search,
  filters,
  rename,
  live,
  streams,
  rebuild,
  replaying,
  projectorMemory,
  manyBudgets,
  peers,
  processes,
  envelopes,
  balances,
  sums,
  changes,
];
