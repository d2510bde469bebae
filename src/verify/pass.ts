// One pass of a verification: compares some streams of one partition, read in one snapshot, with the log.
import type { IsSkipped } from '../access/decisions.ts';
import type { LogRecord } from '../event-log/event-log.ts';
import { counted } from '../process/printable.ts';
import { inTurns } from '../process/waiting.ts';
import { type Delivery, deliveryFromLog, storedQuarantined } from '../projector/fold/delivery.ts';
import { queueEntryId } from '../projector/fold/fold.ts';
import {
  createStreamFolder,
  type FoldedStream,
  type StreamFolder,
} from '../projector/fold/fold-streams.ts';
import { belongsTo } from '../projector/fold/home.ts';
import type { StoredQuarantined } from '../store/collections.ts';
import { readStoredStreams, type Selection, type StoredStreams } from '../store/stored-streams.ts';
import { compareStream } from './compare.ts';
import type { Difference } from './difference.ts';
import { compareQuarantine } from './outside-streams.ts';
import { streamEventsMax, type VerifySource } from './source.ts';

export interface PassResult {
  /** Streams that were compared. */
  readonly streams: ReadonlySet<string>;
  /** Stored sequences, by stream. */
  readonly sequences: ReadonlyMap<string, number>;
  /** Documents that were compared. */
  readonly documents: number;
  /** The events of streams that were not compared, because they do not fit into memory. */
  readonly tooLarge: ReadonlyMap<string, number>;
  /** By stream. */
  readonly differences: ReadonlyMap<string, readonly Difference[]>;
  /** Applied sequences that the log lacks, in a sentence each, by stream. */
  readonly lost: ReadonlyMap<string, string>;
}

/** The state of one pass. */
interface Pass {
  readonly source: VerifySource;
  readonly selection: Selection;
  /** Number of partitions of the log. */
  readonly partitions: number;
  readonly stored: StoredStreams;
  readonly folder: StreamFolder;
  readonly isSkipped: IsSkipped;
  readonly includes: (stream: string) => boolean;
  /** Records that should be in the quarantine, by id. */
  readonly quarantine: Map<string, StoredQuarantined>;
  /** Streams that have begun: an event of them was read. */
  readonly begun: Set<string>;
  /** Those of them without a head in the snapshot, with the number of their records that need one. */
  readonly headless: Map<string, number>;
}

/** @throws DamagedLogError when the log has a hole */
export async function verifyPass(
  source: VerifySource,
  selection: Selection,
  signal: AbortSignal,
): Promise<PassResult> {
  const { database, generation, store, eventLog } = source;
  const { streamEventsMax: eventsMax = streamEventsMax() } = source;
  const stored = await readStoredStreams(database, generation, { ...selection, eventsMax });
  const isSelected = includedBy(selection);
  const isSkipped = await store.decisions.load();
  const partitions = stored.checkpoint?.partitions ?? (await eventLog.partitions());
  const pass: Pass = {
    source,
    selection,
    partitions,
    stored,
    folder: createStreamFolder(stored.heads.values(), isSkipped),
    isSkipped,
    includes: stream => isSelected(stream) && !stored.tooLarge.has(stream),
    quarantine: new Map(),
    begun: new Set(),
    headless: new Map(),
  };
  const range = { partition: selection.partition, from: 0, to: stored.checkpoint?.next ?? 0 };
  for await (const records of eventLog.scan(range, signal)) {
    await take(pass, records);
  }
  // An aborted scan ends early without an error.
  signal.throwIfAborted();
  return compare(pass);
}

function includedBy({ streams }: Selection): (stream: string) => boolean {
  if (!('from' in streams)) {
    const named = new Set(streams);
    return stream => named.has(stream);
  }
  const { from, to } = streams;
  return stream => (from === null || stream >= from) && (to === null || stream < to);
}

async function take(pass: Pass, records: readonly LogRecord[]): Promise<void> {
  const { folder, includes, quarantine, begun, partitions } = pass;
  // The pass whose range includes the empty id decodes every record, to find those that belong to no stream.
  const readsAll = includes('');
  const expect = (delivery: Delivery) => {
    const stored = storedQuarantined(delivery);
    quarantine.set(stored._id, stored);
  };
  const wanted = records.filter(({ key }) => readsAll || (key !== null && includes(key)));
  await inTurns(wanted, record => {
    const delivery = deliveryFromLog(record, partitions);
    const { subject } = delivery;
    if (subject === null) {
      if (readsAll) expect(delivery);
    } else if (!includes(subject)) return;
    else if (!belongsTo(begun.has(subject), delivery)) expect(delivery);
    else {
      begun.add(subject);
      if (folder.has(subject)) folder.take(delivery);
      else takeHeadless(pass, subject, delivery);
    }
  });
}

function takeHeadless({ headless, isSkipped }: Pass, subject: string, delivery: Delivery): void {
  const { sequence, eventId } = delivery;
  const isDropped = sequence === 0 && isSkipped(subject, sequence, eventId);
  const count = headless.get(subject) ?? 0;
  headless.set(subject, isDropped ? count : count + 1);
}

function compare(pass: Pass): PassResult {
  const { stored, folder, headless, quarantine } = pass;
  const { tooLarge } = stored;
  const { streams, ...logFold } = folder.finish();
  const comparison = { ...logFold, stored };
  const differences = new Map<string, Difference[]>();
  const lost = new Map<string, string>();
  const add = (stream: string, found: readonly Omit<Difference, 'stream'>[]) => {
    if (found.length === 0) return;
    const known = differences.get(stream) ?? [];
    differences.set(stream, [...known, ...found.map(one => ({ stream, ...one }))]);
  };
  for (const [id, head] of stored.heads) {
    const folded = streams.get(id);
    if (!folded) continue;
    const sentence = describeLoss(pass, folded, id);
    if (sentence !== null) {
      lost.set(id, sentence);
      continue;
    }
    add(id, compareStream(comparison, head, folded));
  }
  for (const [id, count] of headless) {
    add(id, [
      { what: 'head', expected: `one, for ${counted(count, 'record')} of the log`, stored: null },
    ]);
  }
  for (const { stream, ...found } of compareQuarantine(quarantine, stored.quarantined)) {
    // The records of a stream that is left out were not read.
    if (!tooLarge.has(stream)) add(stream, [found]);
  }
  const documents = [...stored.sets.values()].reduce((sum, { size }) => sum + size, 0);
  const compared = new Set([...stored.heads.keys(), ...headless.keys()]);
  const sequences = new Map([...stored.heads.values()].map(({ id, sequence }) => [id, sequence]));
  return { streams: compared, sequences, documents, tooLarge, differences, lost };
}

// A later event was applied, as it is not in the queue. So the missing one was applied too, and the log lost it.
function describeLoss({ source, stored, selection }: Pass, folded: FoldedStream, id: string) {
  const { missing } = folded;
  if (!missing || stored.queues.get(id)?.has(queueEntryId(missing.later))) return null;
  const { sequence, later } = missing;
  return `${source.eventLog.name}, partition ${selection.partition}: sequence ${sequence} of ${id} was applied, but the log goes on with sequence ${later.sequence}`;
}
