// Compares the indexes of a generation with those that it should have.
import { MongoServerError } from 'mongodb';
import { COLLECTIONS, type GenerationCollections } from '../collections.ts';
import { type CollectionPlace, inForm } from '../in-form.ts';

/** Returns the missing indexes, late ones too, each by its collection and key: `rows {"set":1,"place":-1}`. */
export async function missingIndexes(collections: GenerationCollections): Promise<string[]> {
  const missing: string[] = [];
  for (const name of Object.keys(collections) as (keyof GenerationCollections)[]) {
    const { indexes, lateIndexes = [] } = COLLECTIONS[name];
    const stored = await storedIndexes(collections[name]);
    for (const index of [...indexes, ...lateIndexes]) {
      if (!stored.has(describe(index))) missing.push(`${name} ${JSON.stringify(index.key)}`);
    }
  }
  return missing;
}

const NAMESPACE_NOT_FOUND = 26;

async function storedIndexes(place: CollectionPlace): Promise<Set<string>> {
  try {
    return new Set((await inForm(place).listIndexes().toArray()).map(describe));
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NAMESPACE_NOT_FOUND) return new Set();
    throw error;
  }
}

interface Described {
  readonly key?: unknown;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: unknown;
}

/** An index with the same key but over other documents is another one. */
function describe({ key, sparse = false, partialFilterExpression = null }: Described): string {
  return JSON.stringify([key, sparse, partialFilterExpression]);
}
