// A model of a partition's pipeline: claims, chunks with a transaction of their own and shared ones, commits whose answer
// gets lost and that may take place later, crashes, former owners. Gaps are drained in one step. Each step is one command
// of the database, or one in memory; loads may come apart.
import { resolveOutcome } from '../../src/projector/machine/transaction.ts';
import { FencedError } from '../../src/store/database-errors.ts';
import type { Claim } from '../../src/store/writing/checkpoints.ts';
import { copy, type Model, type Step } from './explore.ts';
import { claim, claimSteps, drainOne, endFormer } from './pipeline-claim.ts';
import {
  chunkOf,
  entriesOf,
  fold,
  loadHeads,
  loadRows,
  takeAll,
  takeRows,
} from './pipeline-fold.ts';
import { quiescent, violation } from './pipeline-laws.ts';
import { serverSteps } from './pipeline-server.ts';
import {
  emptyCache,
  firstState,
  isCheckpointLocked,
  isLocked,
  mayFail,
  type PipelineOptions,
  type PipelineState,
  type Projector,
  projectorDown,
  type Scene,
  sceneOf,
} from './pipeline-state.ts';
import { type Act, writeSteps } from './pipeline-writes.ts';

export function pipelineModel(options: PipelineOptions): Model<PipelineState> {
  const scene = sceneOf(options);
  return {
    init: () => [firstState(scene)],
    next(state) {
      const steps: Step<PipelineState>[] = [];
      state.projectors.forEach((own, index) => {
        projectorSteps(scene, [state, own], (label, act) => {
          const next = copy(state);
          const mine = next.projectors[index];
          if (!mine) return;
          act(next, mine);
          continueRun(scene, mine);
          const isFault = label.startsWith('! ');
          steps.push([`${isFault ? '!' : ''}P${index} ${label.replace('! ', '')}`, next]);
        });
      });
      steps.push(...serverSteps(scene, state));
      return steps;
    },
    invariant: state => violation(scene, state),
    quiescent: state => quiescent(scene, state),
  };
}

function projectorSteps(scene: Scene, [state, own]: [PipelineState, Projector], go: Act): void {
  writeSteps(scene, [state, own], go);
  if (own.at !== 'down' && mayFail(scene, state, 'crash')) {
    go('! crashes', (next, mine) => {
      next.faults.crash += 1;
      Object.assign(mine, projectorDown(mine.session + 1));
    });
  }
  switch (own.at) {
    case 'down':
      claimSteps(scene, [state, own], go);
      return;
    case 'claiming':
      if (isCheckpointLocked(state, -1))
        go('waits to claim', (next, mine) => endFormer(next, mine));
      else go('claims', (next, mine) => claim(scene, next, mine));
      return;
    case 'draining':
      if (own.drains.every(stream => !isLocked(state, own.session, stream)))
        go('drains', (next, mine) => drainOne(scene, next, mine));
      return;
    case 'idle':
      idleSteps(scene, own, go);
      return;
    case 'waits to search':
      if (own.writes.some(({ state: sent }) => sent === 'waiting')) return;
      go('searches', (next, mine) => {
        loadHeads(scene, next, mine);
        mine.at = 'loads';
      });
      return;
    case 'loads':
      go('loads rows', (next, mine) => {
        loadRows(scene, next, mine);
        mine.at = 'folds';
        if (scene.loadsAtOnce) foldNow(scene, next, mine);
      });
      return;
    case 'folds':
      go('loads sums and folds', (next, mine) => foldNow(scene, next, mine));
      return;
    case 'begins':
    case 'waits for all':
      if (own.writes[0]?.state === 'failed')
        go('reads the checkpoint', (next, mine) => answer(scene, next, mine));
  }
}

function idleSteps(scene: Scene, own: Projector, go: Act): void {
  const { entries, chunkMax = 2 } = scene;
  const isCommitting = own.writes.some(one => one.kind !== 'part' && one.state === 'waiting');
  if (own.shared && !isCommitting) go('gets no records for a while', (_, mine) => end(mine));
  const { next: from } = own.claim;
  if (from >= entries.length && own.writes.length > 0)
    go('waits', (_, mine) => {
      mine.at = 'waits for all';
    });
  const sizeMax = own.failures > 0 ? 1 : chunkMax;
  for (let to = from + 1; to <= Math.min(from + sizeMax, entries.length); to += 1) {
    for (const isFarBehind of to < entries.length ? [false, true] : [false]) {
      go(`takes ${from} to ${to}${isFarBehind ? ', far behind' : ''}`, (next, mine) => {
        const none = { wrong: null, heads: {}, waiting: [], stored: [], gaps: [] };
        mine.chunk = { from, to, isFarBehind, isPart: false, ...none };
        const searches = entriesOf(scene, mine.chunk).some(entry => entry.searches);
        if (searches) {
          end(mine);
          mine.at = 'waits to search';
        } else {
          loadHeads(scene, next, mine);
          mine.at = 'loads';
        }
      });
    }
  }
}

function foldNow(scene: Scene, state: PipelineState, own: Projector): void {
  fold(scene, state, own);
  const chunk = chunkOf(own);
  const parts = (own.shared?.parts ?? 0) + 1;
  const mayShare = own.failures === 0 && own.claim.next >= own.sharesFrom;
  const isPlain = chunk.waiting.length === 0;
  chunk.isPart = chunk.isFarBehind && parts < (scene.partsMax ?? 3) && mayShare && isPlain;
  own.at = 'begins';
}

/** Ends the open transaction, if there is one, without another chunk. */
function end(own: Projector): void {
  if (!own.shared) return;
  const { from } = own.shared;
  const range = { from, to: own.claim.next, chunkFrom: null, isFirst: false };
  const changes = takeAll(own, null);
  own.writes.push({ kind: 'end', ...range, changes, state: 'waiting', error: null });
  own.shared = null;
}

/** Does what a projector does next without the database: nobody else can tell when. */
function continueRun(scene: Scene, own: Projector): void {
  for (;;) {
    if (own.at === 'draining' && own.drains.length === 0) own.at = 'idle';
    if (own.at === 'idle') evictRows(own);
    if (own.at !== 'begins' && own.at !== 'waits for all') return;
    const left = own.at === 'begins' && (own.chunk?.isPart || own.shared) ? 1 : 0;
    if (own.writes.length > left) {
      if (own.writes[0]?.state !== 'written') return;
      own.writes.shift();
      own.failures = 0;
    } else if (own.at === 'begins') begin(scene, own);
    else stored(own);
  }
}

// Between two chunks, once no write is under way.
function evictRows(own: Projector): void {
  if (!own.shared && own.writes.every(one => one.state !== 'waiting')) own.cache.present = {};
}

function begin(scene: Scene, own: Projector): void {
  const { chunk } = own;
  if (!chunk) throw new Error('No chunk is folded');
  const { from: chunkFrom, to } = chunk;
  const from = own.shared?.from ?? chunkFrom;
  const range = { from, to, chunkFrom, isFirst: own.shared === null };
  const pending = { state: 'waiting', error: null } as const;
  own.claim.next = to;
  if (chunk.isPart) {
    own.writes.push({ kind: 'part', ...range, changes: takeRows(own, chunk), ...pending });
    own.shared = { from, parts: (own.shared?.parts ?? 0) + 1 };
  } else {
    const kind = own.shared ? 'end' : 'single';
    own.writes.push({ kind, ...range, changes: takeAll(own, chunk), ...pending });
    own.shared = null;
  }
  const hasMore = to < scene.entries.length && own.failures === 0;
  own.drains = chunk.gaps;
  own.chunk = null;
  own.at = hasMore && chunk.gaps.length === 0 ? 'idle' : 'waits for all';
}

function stored(own: Projector): void {
  own.at = own.drains.length > 0 ? 'draining' : 'idle';
}

/** The oldest write failed: the checkpoint tells where to go on from. */
function answer({ without, streams }: Scene, state: PipelineState, own: Projector): void {
  const [write] = own.writes;
  if (!write) return;
  const { epoch, next } = own.claim;
  const claimAt = (offset: number): Claim => ({ ...CLAIM, epoch, next: offset });
  const error = write.error === 'fenced' ? new FencedError('Fenced') : new Error(write.error ?? '');
  const { checkpoint } = state;
  const range = { from: claimAt(write.from), to: claimAt(write.to) };
  const resolved = resolveOutcome({ ...checkpoint, fingerprints: [] }, range, { error });
  if (resolved.failure?.error instanceof FencedError) {
    Object.assign(own, projectorDown(own.session));
    return;
  }
  const isAlone = own.writes.length === 1;
  const keeps =
    without === 'forget' || (without === 'fold again' && own.at === 'begins' && isAlone);
  if (!resolved.failure && keeps) {
    own.writes.shift();
    own.failures = 0;
    return;
  }
  own.sharesFrom = next;
  own.claim.next = resolved.claim.next;
  Object.assign(own, { writes: [], shared: null, chunk: null, cache: emptyCache() });
  own.failures = resolved.failure ? 1 : 0;
  if (resolved.hasLateCommit && without !== 'drain what comes late') {
    own.drains = streams.filter(stream => state.heads[stream]?.held);
    own.at = 'draining';
  } else if (own.at === 'begins' || own.claim.next < next) {
    own.drains = [];
    own.at = 'idle';
  }
}

const CLAIM: Omit<Claim, 'epoch' | 'next'> = {
  partition: 0,
  owner: '',
  fingerprints: [],
  partitions: 1,
  isHalted: false,
};
