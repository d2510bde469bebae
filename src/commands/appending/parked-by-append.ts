// Folds events in memory over the read model, to say which of them would park their stream. Nothing is written.
import type { Head } from '../../../projections/documents.ts';
import { UserError } from '../../process/errors.ts';
import { groupBy } from '../../process/group-by.ts';
import { type Delivery, deliveryOf } from '../../projector/fold/delivery.ts';
import { queueEntryId } from '../../projector/fold/fold.ts';
import { foldDeliveries } from '../../projector/fold/fold-deliveries.ts';
import type { ProjectorStore } from '../../projector/store.ts';
import { inFilters, loadHeads } from '../../store/heads.ts';
import type { AwaitedPositions, Waited } from '../opening/await-applied.ts';
import type { CheckedInput } from './append-events.ts';

/**
 * The deliveries have the number of their line as `offset`, so that each leads back to it. Their partition is none of the
 * log's: a queue's entries, which have a real one, are folded with them.
 */
function deliveriesOf({ records }: CheckedInput): Delivery[] {
  return records.map(({ key, value }, index) =>
    deliveryOf({ partition: NO_PARTITION, offset: index + 1, key, value }),
  );
}

const NO_PARTITION = -1;
const ALL = Number.MAX_SAFE_INTEGER;
/** Events behind gaps that a check folds. */
const BEHIND_MAX = 10_000;
const NOTHING_CHECKED = 'Nothing was checked';

/**
 * Returns a line for each stream that the events would park, that is held already, or whose budget is deleted. What waits
 * behind a gap is applied with the events that fill it.
 *
 * @throws UserError when the read model does not hold the end of the log, which the events follow
 */
export async function parkedByAppend(
  store: ProjectorStore,
  input: CheckedInput,
  applied: (positions: AwaitedPositions) => Promise<Waited>,
): Promise<string[]> {
  const tails = [...input.tails].map(([subject, { sequence }]) => [subject, sequence] as const);
  const waited = await applied(new Map(tails));
  if (waited.kind === 'still') throw new UserError(`${waited.text}\n${NOTHING_CHECKED}`);
  const limits = { rowsMax: ALL, streamsMax: ALL, declaredMax: ALL };
  const deliveries = deliveriesOf(input);
  const behindGaps = await queuedBehindGaps(store, input.tails);
  const all = [...behindGaps, ...deliveries].sort(
    (one, other) => one.sequence - other.sequence || one.offset - other.offset,
  );
  const { fold, loaded } = await foldDeliveries(store, all, { limits, open: withoutGap });
  const linesOf = groupBy(deliveries, one => one.subject ?? '');
  const lines: string[] = [];
  for (const [subject, { held, deleted, sequence }] of fold.heads) {
    const ofStream = linesOf.get(subject) ?? [];
    if (deleted) {
      const later = ofStream.find(one => one.sequence > sequence);
      if (later) lines.push(`line ${later.offset}: would be dropped: budget ${subject} is deleted`);
    }
    const waiting = ofStream.find(one => fold.queued.has(queueEntryId(one)));
    if (held === null || !waiting) continue;
    const before = loaded.get(subject)?.held;
    if (before && before.why !== 'gap') {
      lines.push(`${subject} is held already: ${before.reason}`);
      continue;
    }
    const isOwn = queueEntryId(waiting) === held.entry;
    const what = isOwn ? 'would park' : 'would wait: an event in the queue would park';
    lines.push(`line ${waiting.offset}: ${what} ${subject}: ${held.reason}`);
  }
  return lines;
}

/** A gap is filled by the events, or holds the stream again. */
function withoutGap(head: Head): Head {
  return head.held?.why === 'gap' ? { ...head, held: null } : head;
}

/** @throws UserError when an event behind a gap is not in the queue yet, or too many are */
async function queuedBehindGaps(
  { collections }: ProjectorStore,
  tails: CheckedInput['tails'],
): Promise<Delivery[]> {
  const heads = await loadHeads(collections.heads, [...tails.keys()]);
  const held = [...heads.values()].filter(head => head.held?.why === 'gap').map(({ id }) => id);
  const found: Delivery[] = [];
  for (const some of inFilters(held)) {
    const queued = collections.waiting.find({ subject: { $in: some } }, { limit: BEHIND_MAX + 1 });
    for await (const entry of queued) found.push(deliveryOf({ ...entry, key: entry.subject }));
    if (found.length > BEHIND_MAX) {
      throw new UserError(
        `More than ${BEHIND_MAX} events wait behind gaps of these streams\n${NOTHING_CHECKED}`,
      );
    }
  }
  const inQueue = groupBy(found, ({ subject }) => subject ?? '');
  for (const [subject, { waiting }] of tails) {
    const head = heads.get(subject);
    if (head?.deleted || (head && head.held !== null && head.held.why !== 'gap')) continue;
    const known = new Set(inQueue.get(subject)?.map(({ sequence }) => sequence));
    const missing = [...waiting].find(one => one > (head?.sequence ?? 0) && !known.has(one));
    if (missing === undefined) continue;
    throw new UserError(
      `Sequence ${missing} of ${subject} is in the log, and not applied yet: try again when it is\n${NOTHING_CHECKED}`,
    );
  }
  return found;
}
