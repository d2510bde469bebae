// Gives the things of a budget the places among its changes that a test wants, whatever its events were.
import type { Tombstone } from '../../projections/documents.ts';
import { documentsOf } from '../../src/store/collections.ts';
import type { ReadModel } from '../helpers/read-model.ts';

type MarkedKind = 'accounts' | 'groups' | 'categories' | 'payees' | 'labels' | 'rows';

export interface ChangePlaces {
  /** The position of the budget. */
  readonly sequence: number;
  /** When each thing changed last, by id. */
  readonly changed: { readonly [K in MarkedKind]?: Readonly<Record<string, number>> };
  readonly tombstones: readonly Omit<Tombstone, 'set' | 'id'>[];
}

export async function placeChanges(
  { store: { collections } }: ReadModel,
  budget: string,
  { sequence, changed, tombstones }: ChangePlaces,
): Promise<void> {
  const head = await collections.heads.findOneAndUpdate({ _id: budget }, { $set: { sequence } });
  const set = head?.set ?? '';
  for (const [kind, things] of Object.entries(changed)) {
    await documentsOf(collections, kind as MarkedKind).bulkWrite(
      Object.entries(things).map(([id, at]) => ({
        updateOne: { filter: { _id: `${set}/${id}` }, update: { $set: { changed: at } } },
      })),
    );
  }
  if (tombstones.length === 0) return;
  await collections.tombstones.insertMany(
    tombstones.map(({ kind, thingId, changed: at }) => {
      const id = `${kind}/${thingId}`;
      return { _id: `${set}/${id}`, set, id, kind, thingId, changed: at };
    }),
  );
}
