// Verification: folds the log again, stream by stream, and compares the result with the store. It runs on a live
// system, in passes whose streams bound the memory, and reports damage of the log apart from differences.
import { DamagedLogError } from '../event-log/event-log.ts';
import { delay } from '../process/waiting.ts';
import type { StoredCheckpoint } from '../store/collections.ts';
import type { Selection } from '../store/stored-streams.ts';
import {
  rangesOf,
  sampleSelections,
  selectionsOfStream,
  wholePartitions,
} from './choose-streams.ts';
import { compareIndexes, findOrphans } from './outside-streams.ts';
import { type PassResult, verifyPass } from './pass.ts';
import { createTally, type Tally, type VerifyReport } from './report.ts';
import { PASS_EVENTS_MAX, PAUSES_MS, type VerifySource } from './source.ts';

export interface VerifyRequest {
  /** Only this stream; null for all. */
  readonly stream: string | null;
  /** Only a random sample of this many streams; null for all. */
  readonly sample: number | null;
}

export interface VerifyOptions {
  readonly signal: AbortSignal;
  /** Called after each pass. */
  readonly progress?: (done: number, total: number) => void;
}

/** A verification under way. */
interface Verification extends Required<VerifyOptions> {
  readonly source: VerifySource;
  readonly tally: Tally;
  /** Checkpoints of the partitions whose log is undamaged. */
  readonly whole: ReadonlyMap<number, StoredCheckpoint>;
}

/** Passes over streams that differ, even if their sequences still move. */
const REPEATS_MAX = 30;
/** Beyond this many streams, differences are reported without another pass. */
const REPEATED_STREAMS_MAX = 10_000;

export async function verify(
  source: VerifySource,
  request: VerifyRequest,
  { signal, progress = () => {} }: VerifyOptions,
): Promise<VerifyReport> {
  const tally = createTally();
  const whole = await wholePartitions(source, tally);
  const verification = { source, tally, whole, signal, progress };
  const isFull = request.stream === null && request.sample === null;
  if (isFull) await verifyAll(verification);
  else await verifySome(verification, request);
  if (isFull) tally.differ([...(await findOrphans(source)), ...(await compareIndexes(source))]);
  // The log may have been damaged meanwhile.
  await wholePartitions(source, createDamageTally(tally));
  return tally.report(await source.eventLog.settingsProblem());
}

/** Returns a tally that passes damage on and ignores differences, because those of checkpoints are counted already. */
function createDamageTally(tally: Tally): Tally {
  return { ...createTally(), damaged: tally.damaged };
}

async function verifyAll(verification: Verification): Promise<void> {
  const { source, tally, whole, signal, progress } = verification;
  const { eventLog, passEventsMax: eventsMax = PASS_EVENTS_MAX } = source;
  const total = [...whole.values()].reduce((sum, { next }) => sum + next, 0);
  let before = 0;
  for (const [partition, { next }] of whole) {
    await catchDamage(tally, async () => {
      const ranges = await rangesOf(eventLog, partition, { to: next, eventsMax, signal });
      for (const [index, streams] of ranges.entries()) {
        await verifySelection(verification, { partition, streams });
        progress(before + Math.round((next * (index + 1)) / ranges.length), total);
      }
    });
    before += next;
  }
}

async function verifySome(
  verification: Verification,
  { stream, sample }: VerifyRequest,
): Promise<void> {
  const { source, tally, whole, signal, progress } = verification;
  await catchDamage(tally, async () => {
    const selections =
      stream === null
        ? await sampleSelections(source, whole, { sample: sample ?? 0, signal })
        : await selectionsOfStream(source, whole, { stream, signal });
    const total = selections.reduce((sum, { streams }) => sum + streams.length, 0);
    let done = 0;
    for (const selection of selections) {
      // A damaged partition proves nothing about its streams.
      if (whole.has(selection.partition)) {
        await catchDamage(tally, () => verifySelection(verification, selection));
      }
      done += selection.streams.length;
      progress(done, total);
    }
  });
}

async function catchDamage(tally: Tally, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error;
    tally.damaged(error.message);
  }
}

/**
 * Compares streams, and those that differ again after a wait: on a live system they may be in the middle of a change.
 */
async function verifySelection(
  { source, tally, signal }: Verification,
  selection: Selection,
): Promise<void> {
  signal.throwIfAborted();
  const { partition } = selection;
  const { pausesMs = PAUSES_MS } = source;
  const first = await verifyPass(source, selection, signal);
  tally.compared(first);
  let last = first;
  let pauses = 0;
  for (let repeats = 0; repeats < REPEATS_MAX && pauses < pausesMs.length; repeats += 1) {
    const streams = wrongStreams(last);
    if (streams.length === 0 || streams.length > REPEATED_STREAMS_MAX) break;
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
