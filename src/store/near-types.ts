// Unknown event types that look like a mistake, as `status` names them: the first record of each.
import type { Collection } from 'mongodb';

export interface NearType {
  /** As producers write it. */
  readonly type: string;
  /** The known type that is probably meant. */
  readonly known: string;
  readonly partition: number;
  readonly offset: number;
}

export type StoredNearType = Omit<NearType, 'type'> & { readonly _id: string };

/** Further types are not stored: these are enough to see the mistake. */
const TYPES_MAX = 50;

type NearTypes = Collection<StoredNearType>;

/** Stores types that are not stored yet. */
export async function noteNearTypes(
  nearTypes: NearTypes,
  found: readonly NearType[],
): Promise<void> {
  if ((await nearTypes.countDocuments({}, { limit: TYPES_MAX })) === TYPES_MAX) return;
  const first = new Map(found.toReversed().map(({ type, ...one }) => [type, one]));
  // One by one: of a bulk write the driver hides whether a connection broke.
  const writes = [...first].slice(0, TYPES_MAX).map(([_id, one]) => {
    return nearTypes.updateOne({ _id }, { $setOnInsert: one }, { upsert: true });
  });
  await Promise.all(writes);
}

export async function readNearTypes(nearTypes: NearTypes): Promise<NearType[]> {
  const found = await nearTypes.find().sort({ _id: 1 }).limit(TYPES_MAX).toArray();
  return found.map(({ _id: type, ...one }) => ({ type, ...one }));
}
