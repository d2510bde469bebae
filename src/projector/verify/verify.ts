// Verification: the log is folded anew, stream by stream, and every document is held against the stored one. It
// runs on a live system, in passes whose memory is bounded by the streams of one pass.
import type { EventLog } from '../../event-log/event-log.ts';
import type { ReadDatabase } from '../../read-store/snapshot.ts';
import { readStoredStreams } from '../../read-store/stored-streams.ts';
import type { StoreParts } from '../store.ts';
import { compareStreams, type Difference } from './compare.ts';
import { foldStreams } from './fold-streams.ts';

/** Events that the streams of one pass may have together; a single larger stream is a pass of its own. */
const PASS_EVENTS_MAX = 100_000;
/** Differences that a report names; the others are counted. */
export const DIFFERENCES_MAX = 100;

export interface VerifyRequest {
  /** Only this stream; null for all. */
  readonly stream: string | null;
  /** Only so many streams, others each time; null for all. */
  readonly sample: number | null;
}

export interface VerifyReport {
  readonly streams: number;
  readonly documents: number;
  readonly differences: number;
  /** The first of them. */
  readonly named: readonly Difference[];
}

export interface VerifySource {
  readonly database: ReadDatabase;
  readonly generation: string;
  readonly store: StoreParts;
  readonly log: EventLog;
}

interface Candidate {
  readonly id: string;
  readonly partition: number;
  readonly sequence: number;
}

/** @param progress told how many of how many streams are done */
export async function verify(
  source: VerifySource,
  request: VerifyRequest,
  signal: AbortSignal,
  progress: (done: number, total: number) => void = () => {},
): Promise<VerifyReport> {
  const candidates = await candidatesOf(source, request);
  const named: Difference[] = [];
  let [streams, documents, differences] = [0, 0, 0];
  for (const pass of passesOf(candidates)) {
    signal.throwIfAborted();
    const found = await verifyPass(source, pass, signal);
    streams += pass.length;
    documents += found.documents;
    differences += found.differences.length;
    named.push(...found.differences.slice(0, DIFFERENCES_MAX - named.length));
    progress(streams, candidates.length);
  }
  return { streams, documents, differences, named };
}

async function candidatesOf(
  { store }: VerifySource,
  { stream, sample }: VerifyRequest,
): Promise<Candidate[]> {
  const filter = { deleted: false, ...(stream !== null && { _id: stream }) };
  return await store.collections.heads
    .aggregate<Candidate>([
      { $match: filter },
      ...(sample === null ? [] : [{ $sample: { size: sample } }]),
      { $project: { _id: 0, id: '$_id', partition: 1, sequence: 1 } },
      { $sort: { partition: 1, id: 1 } },
    ])
    .toArray();
}

/** Streams of one partition each. */
function passesOf(candidates: readonly Candidate[]): Candidate[][] {
  const passes: Candidate[][] = [];
  let events = 0;
  for (const candidate of candidates) {
    const pass = passes.at(-1);
    const fits = events + candidate.sequence <= PASS_EVENTS_MAX;
    if (pass && fits && pass[0]?.partition === candidate.partition) {
      pass.push(candidate);
      events += candidate.sequence;
    } else {
      passes.push([candidate]);
      events = candidate.sequence;
    }
  }
  return passes;
}

async function verifyPass(
  { database, generation, store, log }: VerifySource,
  pass: readonly Candidate[],
  signal: AbortSignal,
): Promise<{ documents: number; differences: Difference[] }> {
  const ids = pass.map(({ id }) => id);
  const stored = await readStoredStreams(database, generation, ids);
  const partition = pass[0]?.partition ?? 0;
  const { start } = await log.bounds(partition);
  const to = stored.checkpoints.get(partition)?.next ?? start;
  const heads = stored.heads.filter(head => !head.deleted);
  const isSkipped = await store.decisions.load();
  const folded = await foldStreams(log, partition, { from: start, to }, heads, isSkipped, signal);
  return { documents: stored.documents.size, differences: compareStreams(stored, folded) };
}
