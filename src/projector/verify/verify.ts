// Verification: the log is folded once more, stream by stream, and held against what is stored. It runs on a live
// system, in passes whose memory is bounded by the streams of one pass, and tells damage of the log apart.
import { delay } from '../../delay.ts';
import { DamagedLogError } from '../../event-log/damaged-log-error.ts';
import type { StoredCheckpoint } from '../../read-store/collections.ts';
import type { Selection } from '../../read-store/stored-streams.ts';
import { sampleSelections, selectionsOfStream } from './choose-streams.ts';
import { findOrphans } from './orphans.ts';
import { type PassResult, verifyPass } from './pass.ts';
import { rangesOf } from './ranges.ts';
import { createTally, type Tally, type VerifyReport } from './report.ts';
import { PASS_EVENTS_MAX, PAUSES_MS, type VerifySource } from './source.ts';
import { wholePartitions } from './whole-partitions.ts';

export interface VerifyRequest {
  /** Only this stream; null for all. */
  readonly stream: string | null;
  /** Only so many streams, others each time; null for all. */
  readonly sample: number | null;
}

/** Looks at streams that differ, however much they move on. */
const LOOKS_MAX = 30;
/** Streams that are looked at again together. */
const AGAIN_MAX = 10_000;

/** @param progress told how much of how much is done */
export async function verify(
  source: VerifySource,
  request: VerifyRequest,
  signal: AbortSignal,
  progress: (done: number, total: number) => void = () => {},
): Promise<VerifyReport> {
  const tally = createTally();
  const whole = await wholePartitions(source, tally);
  const isFull = request.stream === null && request.sample === null;
  if (isFull) await verifyAll(source, whole, tally, signal, progress);
  else await verifySome(source, request, whole, tally, signal, progress);
  if (isFull) tally.differ(await findOrphans(source));
  // It may have been damaged meanwhile.
  await wholePartitions(source, createDamageTally(tally));
  return tally.report(await source.eventLog.settingsProblem());
}

// Differences of checkpoints are counted once.
function createDamageTally(tally: Tally): Tally {
  return { ...createTally(), damaged: tally.damaged };
}

async function verifyAll(
  source: VerifySource,
  whole: ReadonlyMap<number, StoredCheckpoint>,
  tally: Tally,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<void> {
  const { eventLog, passEventsMax = PASS_EVENTS_MAX } = source;
  const total = [...whole.values()].reduce((sum, { next }) => sum + next, 0);
  let before = 0;
  for (const [partition, { next }] of whole) {
    await orDamage(tally, async () => {
      const ranges = await rangesOf(eventLog, partition, next, passEventsMax, signal);
      for (const [index, streams] of ranges.entries()) {
        await verifySelection(source, { partition, streams }, tally, signal);
        progress(before + Math.round((next * (index + 1)) / ranges.length), total);
      }
    });
    before += next;
  }
}

async function verifySome(
  source: VerifySource,
  { stream, sample }: VerifyRequest,
  whole: ReadonlyMap<number, StoredCheckpoint>,
  tally: Tally,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<void> {
  await orDamage(tally, async () => {
    const selections =
      stream === null
        ? await sampleSelections(source, whole, sample ?? 0)
        : await selectionsOfStream(source, whole, stream, signal);
    for (const [index, selection] of selections.entries()) {
      // Of a damaged partition nothing can be said.
      if (whole.has(selection.partition)) {
        await orDamage(tally, () => verifySelection(source, selection, tally, signal));
      }
      progress(index + 1, selections.length);
    }
  });
}

async function orDamage(tally: Tally, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error;
    tally.damaged(error.message);
  }
}

async function verifySelection(
  source: VerifySource,
  selection: Selection,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { partition } = selection;
  const { pausesMs = PAUSES_MS } = source;
  const first = await verifyPass(source, selection, signal);
  tally.compared(first.streams.size, first.documents);
  let last = first;
  let pauses = 0;
  for (let looks = 0; looks < LOOKS_MAX && pauses < pausesMs.length; looks += 1) {
    const streams = wrongStreams(last);
    if (streams.length === 0 || streams.length > AGAIN_MAX) break;
    await delay(pausesMs[pauses] ?? 0, signal);
    signal.throwIfAborted();
    const now = await verifyPass(source, { partition, streams }, signal);
    const movesOn = streams.some(id => now.sequences.get(id) !== last.sequences.get(id));
    pauses = movesOn ? pauses : pauses + 1;
    last = now;
  }
  for (const differences of last.differences.values()) tally.differ(differences);
  for (const sentence of last.lost.values()) tally.damaged(sentence);
}

function wrongStreams({ differences, lost }: PassResult): string[] {
  return [...new Set([...differences.keys(), ...lost.keys()])];
}
