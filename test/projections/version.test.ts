// Documents of the same events never change under the same version of the projections: a generation that was built
// before would differ from one that is built now.
import { createHash, type Hash } from 'node:crypto';
import test from 'ava';
import { BSON } from 'mongodb';
import { DOCUMENT_KINDS, type DocumentKind } from '../../projections/document-kinds.ts';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { storedDocument } from '../../src/store/document-storage.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { applyToMemory, createMemoryStore, documentsOf, type MemoryStore } from './memory-store.ts';
import { sortKeys } from './plain.ts';

/** A digest of the documents that each version stores; no digest is known of versions before 5. */
const STORED: Readonly<Record<number, string>> = {
  5: '3787744473aea580',
};
/** Digest of the events that are projected. */
const EVENTS = '2b5f4d744c21f879';

const HISTORIES = [1, 2, 3, 4].map(seed =>
  eventsOf(
    randomHistory({
      seed,
      events: 800,
      budgets: 2,
      spaces: 1,
      users: 2,
      wildNames: true,
      invalidShare: seed % 2 === 0 ? 0.01 : 0,
    }),
  ),
);

test('the stored documents are those that were recorded for this version', t => {
  const events = createHash('sha256');
  const stored = createHash('sha256');
  for (const history of HISTORIES) {
    events.update(JSON.stringify(history));
    const store = createMemoryStore();
    applyToMemory(store, history, 0);
    addStored(stored, store);
  }
  const digest = stored.digest('hex').slice(0, 16);
  t.is(
    events.digest('hex').slice(0, 16),
    EVENTS,
    `The histories of the tests are others than before, so the digest of version ${PROJECTIONS_VERSION} proves nothing. ` +
      'If the projections have not changed since then, record both digests again, in a commit without a change of projections/',
  );
  t.is(
    digest,
    STORED[PROJECTIONS_VERSION] ?? 'none is recorded',
    `Version ${PROJECTIONS_VERSION} of the projections now stores other documents of the same events. If that is meant, ` +
      'raise PROJECTIONS_VERSION in projections/version.ts (CONTRIBUTING.md, Adding a projection), and record the digest ' +
      'of the new version in STORED. A version that no release contains yet (CHANGELOG.md) keeps its number and gets the new digest',
  );
});

/** Adds heads and documents in the form in which they are stored. */
function addStored(hash: Hash, store: MemoryStore): void {
  const heads = [...store.heads.values()].sort(byId);
  for (const head of heads) hash.update(JSON.stringify(sortKeys(head)));
  const add = (kind: DocumentKind, set: string) => {
    for (const document of documentsOf(store, kind, set).sort(byId)) {
      hash.update(BSON.serialize(storedDocument(kind, document)));
    }
  };
  for (const { set } of heads) if (set) for (const kind of DOCUMENT_KINDS) add(kind, set);
}

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
