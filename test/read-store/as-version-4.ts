// Stores the rows of a generation as version 4 of the projections did: without amounts and types, and with no order by label.
import type { GenerationCollections } from '../../src/read-store/collections.ts';
import { BY_AMOUNT, BY_LABEL, BY_TYPE } from '../../src/read-store/row-codec.ts';

/** To be called when everything in it is written. */
export async function asVersion4({ rows }: GenerationCollections): Promise<void> {
  const keys = [BY_AMOUNT, BY_LABEL, BY_TYPE].map(key => JSON.stringify(key));
  for (const { key, name = '' } of await rows.indexes()) {
    if (keys.includes(JSON.stringify(key))) await rows.dropIndex(name);
  }
  await rows.createIndex(
    { set: 1, labels: 1 },
    { partialFilterExpression: { labels: { $exists: true } } },
  );
  await rows.updateMany({}, { $unset: { amount: '', type: '' } });
}
