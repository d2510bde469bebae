// Waits until the active generation has applied appended events, and shows the progress.
import type { Head } from '../../../projections/documents.ts';
import { reasonOf } from '../../process/describe-error.ts';
import { delay } from '../../process/waiting.ts';
import type { GenerationCollections } from '../../store/collections.ts';
import { isUnavailable } from '../../store/database-errors.ts';
import { loadHeads } from '../../store/heads.ts';
import { readPause } from '../../store/writing/parking-alarm.ts';

/** By stream, the sequence to wait for. */
export type AwaitedPositions = ReadonlyMap<string, number>;

/** How the wait ended. `text` is for people. */
export type Waited =
  /** `deleted`: streams whose events were dropped, because they follow a deletion. */
  | { readonly kind: 'applied'; readonly deleted: readonly string[] }
  | { readonly kind: 'parked'; readonly text: string }
  | { readonly kind: 'still'; readonly text: string };

export interface WaitOptions {
  /** Takes the events that are applied, and their number in all. */
  readonly progress: (applied: number, total: number) => void;
  readonly signal: AbortSignal;
  /** The wait ends after so long without progress, in milliseconds. */
  readonly stallMsMax?: number;
}

/** A few events are applied at once, many take a while: looks become rarer. */
const POLL_MS_MIN = 10;
const POLL_MS_MAX = 100;
const STALL_MS_MAX = 30_000;
/** So long without progress, it is looked whether projecting is paused. */
const PAUSE_LOOK_MS = 500;
/** Parked streams that one look asks about. */
const PARKED_MAX = 1000;

/** What is appended stays so when the database does not answer, so that is a way to end too. */
export async function awaitApplied(
  collections: GenerationCollections,
  positions: AwaitedPositions,
  options: WaitOptions,
): Promise<Waited> {
  try {
    return await lookUntilApplied(collections, positions, options);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    const text = `Whether they are applied is not known, MongoDB does not answer (${reasonOf(error)}): budgeting status says more`;
    return { kind: 'still', text };
  }
}

async function lookUntilApplied(
  collections: GenerationCollections,
  positions: AwaitedPositions,
  { progress, signal, stallMsMax = STALL_MS_MAX }: WaitOptions,
): Promise<Waited> {
  const ids = [...positions.keys()];
  let heads = await loadHeads(collections.heads, ids);
  const first = heads;
  const total = sumOver(positions, (id, to) => to - reachedBy(first.get(id)));
  let [appliedBefore, movedAtMs] = [-1, performance.now()];
  let pollMs = POLL_MS_MIN;
  for (;;) {
    const parked = await parkedAmong(collections, positions, heads);
    if (parked !== null) return parked;
    const applied = sumOver(positions, (id, to) => {
      return Math.min(reachedBy(heads.get(id)), to) - reachedBy(first.get(id));
    });
    progress(applied, total);
    if (applied >= total) {
      const isDropped = (id: string) =>
        heads.get(id)?.deleted && (heads.get(id)?.sequence ?? 0) < (positions.get(id) ?? 0);
      return { kind: 'applied', deleted: ids.filter(isDropped) };
    }
    const nowMs = performance.now();
    if (applied !== appliedBefore) [appliedBefore, movedAtMs] = [applied, nowMs];
    const done = `${applied} of ${total} events are applied`;
    if (signal.aborted) {
      return { kind: 'still', text: `Stopped waiting: ${done}; a projector applies the rest` };
    }
    const stoodMs = nowMs - movedAtMs;
    const pause = stoodMs >= PAUSE_LOOK_MS ? await readPause(collections) : null;
    if (pause) {
      const text = `${done}, and projecting is paused: ${pause.reason}; budgeting parked resume lets it go on`;
      return { kind: 'still', text };
    }
    if (stoodMs >= stallMsMax) {
      const seconds = Math.round(stoodMs / 1000);
      const text = `${done}, none in the last ${seconds} s: is a projector running? budgeting status says more`;
      return { kind: 'still', text };
    }
    await delay(pollMs, signal);
    pollMs = Math.min(pollMs * 2, POLL_MS_MAX);
    heads = await loadHeads(collections.heads, ids);
  }
}

/** A parked stream ends the wait once its event is in the queue: a deletion never is, it takes effect at once. */
async function parkedAmong(
  { waiting }: GenerationCollections,
  positions: AwaitedPositions,
  heads: ReadonlyMap<string, Head>,
): Promise<Waited | null> {
  const isParked = ([id, to]: readonly [string, number]) => {
    const { held, sequence = 0 } = heads.get(id) ?? {};
    return held?.why === 'parked' && sequence < to;
  };
  const parked = [...positions].filter(isParked).slice(0, PARKED_MAX);
  if (parked.length === 0) return null;
  const wanted = parked.map(([subject, sequence]) => ({ subject, sequence }));
  const entry = await waiting.findOne({ $or: wanted }, { projection: { subject: 1 } });
  const head = heads.get(entry?.subject ?? '');
  if (!head?.held) return null;
  const text = `${head.id} is parked after sequence ${head.sequence}: ${head.held.reason}`;
  return { kind: 'parked', text };
}

/** Whatever follows a deletion is dropped. */
function reachedBy(head: Head | undefined): number {
  return head?.deleted ? Number.POSITIVE_INFINITY : (head?.sequence ?? 0);
}

function sumOver(positions: AwaitedPositions, countOf: (id: string, to: number) => number): number {
  let sum = 0;
  for (const [id, to] of positions) sum += Math.max(0, countOf(id, to));
  return sum;
}
