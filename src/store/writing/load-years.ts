// Loads years of budgets: of a budget of ten years, only those that may change with what a chunk declares.
import { isReadyFrom } from '../../../projections/reconcile.ts';
import type { WorkingSet } from '../../../projections/working-set.ts';
import type { GenerationCollections } from '../collections.ts';
import { documentOf } from '../document-storage.ts';

/** Where documents are stored, and the working set to load them into. */
export interface Loading {
  readonly collections: GenerationCollections;
  readonly documents: WorkingSet;
}

/** One reply has at most a few megabytes of years. */
const YEARS_BATCH = 500;

/** Provides the years that each set needs to be ready from its first declared year on. */
export async function provideYears(
  loading: Loading,
  declared: ReadonlyMap<string, string>,
): Promise<void> {
  const { documents } = loading;
  const missing = [...declared].filter(([set, year]) => !isReadyFrom(documents, set, year));
  if (missing.length === 0) return;
  // Nearly always the year before has rows, and no earlier one is read.
  const [first = ''] = missing.map(([, year]) => year).sort();
  const recent = first === '' ? '' : String(Number(first) - 1).padStart(4, '0');
  const left = new Map(missing);
  await provideYearsBack(loading, left, { $gte: recent });
  if (left.size > 0) await provideYearsBack(loading, left, { $lt: recent });
  for (const set of left.keys()) documents.provideAll('years', set);
}

/** Provides years from the newest one back, until their set is ready; it is deleted from `missing` then. */
async function provideYearsBack(
  { collections, documents }: Loading,
  missing: Map<string, string>,
  ids: { readonly $gte: string } | { readonly $lt: string },
): Promise<void> {
  const found = collections.years
    .find({ set: { $in: [...missing.keys()] }, id: ids }, { batchSize: YEARS_BATCH })
    .sort({ set: 1, id: -1 });
  for await (const stored of found) {
    const { set, id } = stored;
    const declared = missing.get(set);
    if (declared === undefined) continue;
    documents.provide('years', stored._id, documentOf('years', stored));
    const now = documents.get('years', set, id);
    if (!now || now.count === 0 || id >= declared) continue;
    documents.provideAll('years', set, id);
    missing.delete(set);
  }
}
