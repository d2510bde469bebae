// All figures, in the order of measurement.
import type { BenchFigure } from './bench.ts';
import { answersFigure } from './figures/answers.ts';
import { assistantsFigure } from './figures/assistants.ts';
import { balancesFigure } from './figures/balances.ts';
import { changesFigure } from './figures/changes.ts';
import { compressionFigure } from './figures/compression.ts';
import { deepPagesFigure } from './figures/deep-pages.ts';
import { envelopesFigure } from './figures/envelopes.ts';
import { filtersFigure } from './figures/filters.ts';
import { flatFigure } from './figures/flat.ts';
import { liveFigure } from './figures/live.ts';
import { manyBudgetsFigure } from './figures/many-budgets.ts';
import { matchingEtagFigure } from './figures/matching-etag.ts';
import { peersFigure } from './figures/peers.ts';
import { processesFigure } from './figures/processes.ts';
import { projectorMemoryFigure } from './figures/projector-memory.ts';
import { readerMemoryFigure } from './figures/reader-memory.ts';
import { rebuildFigure } from './figures/rebuild.ts';
import { renameFigure } from './figures/rename.ts';
import { replayFigure } from './figures/replay.ts';
import { searchFigure } from './figures/search.ts';
import { startFigure } from './figures/start.ts';
import { streamsFigure } from './figures/streams.ts';
import { sumsFigure } from './figures/sums.ts';
import { transactionsFigure } from './figures/transactions.ts';

export const FIGURES: readonly BenchFigure[] = [
  transactionsFigure,
  answersFigure,
  matchingEtagFigure,
  compressionFigure,
  assistantsFigure,
  readerMemoryFigure,
  startFigure,
  flatFigure,
  deepPagesFigure,
  searchFigure,
  filtersFigure,
  renameFigure,
  liveFigure,
  streamsFigure,
  rebuildFigure,
  replayFigure,
  projectorMemoryFigure,
  manyBudgetsFigure,
  peersFigure,
  processesFigure,
  envelopesFigure,
  balancesFigure,
  sumsFigure,
  changesFigure,
];
