// Locks documents that a transaction relies on, without changing them.
import type { ClientSession, Document, Filter } from 'mongodb';
import { type CollectionPlace, inForm } from './in-form.ts';

/**
 * Keeps documents as they are until the transaction ends: who has begun to write one conflicts with it, and is retried.
 * They are written and written back, so they keep no trace, which releases before would take for a difference.
 */
export async function lockDocuments(
  place: CollectionPlace,
  filter: Filter<Document>,
  session: ClientSession,
): Promise<void> {
  const documents = inForm(place);
  await documents.updateMany(filter, { $set: { locked: true } }, { session });
  await documents.updateMany(filter, { $unset: { locked: '' } }, { session });
}
