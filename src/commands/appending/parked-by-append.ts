// Folds events in memory over the read model, to say which of them would park their stream. Nothing is written.
import { UserError } from '../../process/errors.ts';
import { deliveryOf } from '../../projector/fold/delivery.ts';
import { queueEntryId } from '../../projector/fold/fold.ts';
import { foldDeliveries } from '../../projector/fold/fold-deliveries.ts';
import type { ProjectorStore } from '../../projector/store.ts';
import type { AwaitedPositions, Waited } from '../opening/await-applied.ts';
import type { CheckedInput } from './append-events.ts';

/** The deliveries have the number of their line as `offset`, so that each leads back to it. */
function deliveriesOf({ records }: CheckedInput) {
  return records.map(({ key, value }, index) =>
    deliveryOf({ partition: 0, offset: index + 1, key, value }),
  );
}

const ALL = Number.MAX_SAFE_INTEGER;

/**
 * Returns a line for each stream that the events would park, that is held already, or whose budget is deleted.
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
  if (waited.kind === 'still') throw new UserError(`${waited.text}\nNothing was checked`);
  const limits = { rowsMax: ALL, streamsMax: ALL, declaredMax: ALL };
  const deliveries = deliveriesOf(input);
  const { fold, loaded } = await foldDeliveries(store, deliveries, { limits });
  const lines: string[] = [];
  for (const [subject, { held, deleted, sequence }] of fold.heads) {
    if (deleted) {
      const later = deliveries.find(one => one.subject === subject && one.sequence > sequence);
      if (later) lines.push(`line ${later.offset}: would be dropped: budget ${subject} is deleted`);
    }
    if (held === null) continue;
    const before = loaded.get(subject)?.held;
    if (before) {
      lines.push(`${subject} is held already: ${before.reason}`);
      continue;
    }
    const first = [...fold.queued.values()].find(one => queueEntryId(one) === held.entry);
    lines.push(`line ${first?.offset ?? 1}: would park ${subject}: ${held.reason}`);
  }
  return lines;
}
