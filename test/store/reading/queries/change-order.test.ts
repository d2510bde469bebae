// The order of changes, and pages cut from it.
import test from 'ava';
import fc from 'fast-check';
import {
  AFTER_KINDS,
  BEFORE_CHANGES,
  CHANGE_KINDS,
  type ChangeKind,
  type ChangePlace,
  endOfChanges,
  mergeChanges,
  type Remaining,
  remainingAfter,
} from '../../../../src/store/reading/queries/change-order.ts';

const SEQUENCE = 6;
const TOMBSTONES = CHANGE_KINDS.indexOf('tombstones');

/** What the store returns of a kind, in its order. */
function streamOf(all: readonly ChangePlace[], kind: ChangeKind, remaining: Remaining | null) {
  if (remaining === null) return [];
  const { after, within } = remaining;
  return all
    .filter(({ kind: index }) => CHANGE_KINDS[index] === kind)
    .filter(
      ({ changed, id }) => changed > after || (within?.changed === changed && id > within.afterId),
    )
    .sort((a, b) => a.changed - b.changed || (a.id < b.id ? -1 : 1));
}

const change = fc.record({
  changed: fc.integer({ min: 1, max: SEQUENCE }),
  kind: fc.integer({ min: 0, max: AFTER_KINDS - 1 }),
  id: fc.string({ unit: fc.constantFrom('a', 'B', '-', '~', '0'), minLength: 1, maxLength: 3 }),
});
const changes = fc.uniqueArray(change, { selector: ({ kind, id }) => `${kind} ${id}` });
const inOrder = (a: ChangePlace, b: ChangePlace) =>
  a.changed - b.changed || a.kind - b.kind || (a.id < b.id ? -1 : 1);

test('pages of any size contain every change once, in order; tombstones up to base never', t => {
  const pages = fc.record({
    all: changes,
    limit: fc.integer({ min: 1, max: 9 }),
    base: fc.integer({ min: 1, max: SEQUENCE }),
    /** How many changes of each kind fit into a message. */
    fitting: fc.tuple(...CHANGE_KINDS.map(() => fc.integer({ min: 1, max: 9 }))),
  });
  fc.assert(
    fc.property(pages, ({ all, limit, base, fitting }) => {
      const seen: ChangePlace[] = [];
      let place: ChangePlace = BEFORE_CHANGES;
      for (;;) {
        const streams = CHANGE_KINDS.map((kind, index) => {
          const remaining = remainingAfter(place, kind, { base, sequence: SEQUENCE });
          const found = streamOf(all, kind, remaining).slice(0, limit + 1);
          const changes = found.slice(0, fitting[index]);
          return { changes, isCut: changes.length < found.length };
        });
        const isCut = streams.some(stream => stream.isCut);
        const page = mergeChanges(streams, limit);
        seen.push(...page.changes);
        if (!page.hasMore) break;
        if (isCut) t.true(page.changes.length > 0 && page.changes.length <= limit);
        else t.is(page.changes.length, limit);
        place = page.changes.at(-1) ?? place;
      }
      const sent = all.filter(({ kind, changed }) => kind !== TOMBSTONES || changed > base);
      t.deepEqual(seen, sent.sort(inOrder));
    }),
  );
});

test('at the end of all changes nothing can remain, so nothing is read', t => {
  for (const kind of CHANGE_KINDS) {
    t.is(remainingAfter(endOfChanges(9), kind, { base: 2, sequence: 9 }), null);
    t.not(remainingAfter(endOfChanges(8), kind, { base: 2, sequence: 9 }), null);
  }
});

test('a first page has no tombstones to read', t => {
  const bounds = { base: 9, sequence: 9 };
  t.deepEqual(
    CHANGE_KINDS.filter(kind => remainingAfter(BEFORE_CHANGES, kind, bounds) === null),
    ['tombstones'],
  );
});
