// Turns a generation into one of version 1 of the projections: an account's days in a document per month, not per year.
import type { Document } from 'mongodb';
import type { GenerationCollections } from '../../src/read-store/collections.ts';
import { inForm } from '../../src/read-store/in-form.ts';

/** Call it after the last event is projected. */
export async function asVersion1({ accountDays }: GenerationCollections): Promise<void> {
  const years = await accountDays.find({}, { promoteLongs: false }).toArray();
  const months = years.flatMap(({ _id, set, id, months }) =>
    Object.entries(months).map(([month, days]): Document => {
      return { _id: `${_id}-${month}`, set, id: `${id}-${month}`, days };
    }),
  );
  await accountDays.deleteMany({});
  await inForm(accountDays).insertMany(months);
}
