// How the database executes the writes of a projector: snapshot isolation, the first writer of a document wins, and a
// session has one transaction at a time.
import { copy } from './explore.ts';
import {
  type Changes,
  type HeadWrite,
  isCheckpointLocked,
  isLocked,
  isSame,
  land,
  mayFail,
  type PipelineState,
  type Projector,
  type Scene,
  type Transaction,
  type Write,
} from './pipeline-state.ts';

/** Changes a copy of the state; a step of the model. */
export type Act = (label: string, act: (state: PipelineState, own: Projector) => void) => void;

interface Writing {
  readonly scene: Scene;
  readonly state: PipelineState;
  readonly own: Projector;
  readonly at: number;
  readonly write: Write;
}

/** Adds the possible outcomes of the oldest write that was not sent. */
export function writeSteps(scene: Scene, [state, own]: [PipelineState, Projector], go: Act): void {
  const at = own.writes.findIndex(one => one.state === 'waiting');
  const write = own.writes[at];
  if (!write) return;
  const before = own.writes[at - 1];
  if (before && before.state !== 'written') {
    go('not sent', (_, mine) => fail(mine, at, before.error ?? ''));
    return;
  }
  const writing = { scene, state, own, at, write };
  const refused = refusal(writing);
  if (refused) {
    go(`${write.kind}: ${refused}`, (next, mine) => {
      delete next.transactions[mine.session];
      fail(mine, at, refused);
    });
  } else if (write.kind === 'part') partSteps(writing, go);
  else commitSteps(writing, go);
}

function fail(own: Projector, at: number, error: string): void {
  const write = own.writes[at];
  if (!write) throw new Error(`There is no write ${at}`);
  write.state = 'failed';
  write.error = error;
}

function opens({ kind, isFirst }: Write): boolean {
  return kind === 'single' || (kind === 'part' && isFirst);
}

/** Returns why the server refuses a write, null where it does not. */
function refusal(writing: Writing): string | null {
  const { scene, state, own, write } = writing;
  const transaction = transactionOf(writing);
  if (!transaction) return 'conflict';
  if (write.chunkFrom !== null) {
    if (isCheckpointLocked(state, own.session)) return 'conflict';
    const isOurs = state.checkpoint.epoch === own.claim.epoch;
    const isFenced = !isOurs || transaction.next !== write.chunkFrom;
    if (isFenced && scene.without !== 'fence') return 'fenced';
  }
  if (write.kind === 'part') return null;
  const { heads, waiting } = write.changes;
  for (const head of heads) {
    const refused = headRefusal(writing, transaction, head);
    if (refused) return refused;
  }
  const isQueued = (index: number) => state.queue.includes(index);
  if (waiting.some(isQueued)) return 'duplicate';
  const { rows } = mergedChanges(transaction, write);
  const isStored = ([stream, added]: [string, number[]]) =>
    added.some(row => state.documents[stream]?.rows.includes(row));
  return Object.entries(rows).some(isStored) ? 'duplicate' : null;
}

function headRefusal(
  { scene, state, own }: Writing,
  { snapshot }: Transaction,
  { stream, loaded }: HeadWrite,
): string | null {
  if (scene.without === 'compare heads') return null;
  if (isLocked(state, own.session, stream)) return 'conflict';
  if (state.versions[stream] !== snapshot[stream]) return 'conflict';
  return isSame(state.heads[stream] ?? null, loaded) ? null : 'stale';
}

/** Returns the transaction in which a write takes place: a new one ends the one that its session has. */
function transactionOf({ state, own, write }: Writing): Transaction | null {
  if (!opens(write)) {
    const open = state.transactions[own.session];
    return open?.state === 'open' ? open : null;
  }
  const { checkpoint, versions } = state;
  const changes: Changes = { rows: {}, sums: {}, heads: [], waiting: [], wrong: null };
  return { state: 'open', next: checkpoint.next, snapshot: copy(versions), changes };
}

/** Returns what a transaction has written after one more write. */
function mergedChanges({ changes }: Transaction, write: Write): Changes {
  const rows = copy(changes.rows);
  for (const [stream, added] of Object.entries(write.changes.rows)) {
    rows[stream] = [...(rows[stream] ?? []), ...added];
  }
  return { ...write.changes, rows, wrong: changes.wrong ?? write.changes.wrong };
}

function written(writing: Writing, state: Transaction['state']): Transaction {
  const transaction = transactionOf(writing);
  if (!transaction) throw new Error('The transaction is gone');
  const { write } = writing;
  const next = write.chunkFrom === null ? transaction.next : write.to;
  return { ...transaction, state, next, changes: mergedChanges(transaction, write) };
}

function partSteps(writing: Writing, go: Act): void {
  const { scene, state, at } = writing;
  go('part written', (next, own) => {
    next.transactions[own.session] = written(writing, 'open');
    markWritten(own, at);
  });
  if (mayFail(scene, state, 'fail')) failSteps(writing, go);
}

function markWritten(own: Projector, at: number): void {
  const write = own.writes[at];
  if (write) write.state = 'written';
}

function failSteps({ at, write }: Writing, go: Act): void {
  go(`! ${write.kind} fails`, (next, own) => {
    next.faults.fail += 1;
    delete next.transactions[own.session];
    fail(own, at, 'network');
  });
}

function commitSteps(writing: Writing, go: Act): void {
  const { scene, state, at, write } = writing;
  const commit = (next: PipelineState, own: Projector) => {
    next.transactions[own.session] = written(writing, 'open');
    land(next, own.session);
  };
  go(`${write.kind} committed`, (next, own) => {
    commit(next, own);
    markWritten(own, at);
  });
  if (mayFail(scene, state, 'fail')) failSteps(writing, go);
  if (mayFail(scene, state, 'unknown')) {
    go(`! ${write.kind} committed, the answer gets lost`, (next, own) => {
      next.faults.unknown += 1;
      commit(next, own);
      fail(own, at, 'unknown');
    });
  }
  if (mayFail(scene, state, 'late')) {
    go(`! ${write.kind} is to be committed later`, (next, own) => {
      next.faults.late += 1;
      next.transactions[own.session] = written(writing, 'late');
      fail(own, at, 'unknown');
    });
  }
}
