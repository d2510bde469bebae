// Sums of things that were made late, which stand on pages of their own: with a cache, without one, and in shadow sets,
// the stored documents are those of a fold in memory.
import { PAGE_ENTRIES } from '../../projections/aggregates/month-sums.ts';
import { documentOf } from '../../src/store/document-storage.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { label, payee, row, steps } from '../model/scene.ts';
import { createStory, eventMaker, FURNISHED } from '../projections/story.ts';
import { createPartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

/** Things are made and named in the same chunk, or in different ones. */
const CHUNKS: readonly (readonly Draft[])[] = [
  [...FURNISHED, ...steps(PAGE_ENTRIES)],
  [payee('late'), label('late'), row('a', { payeeId: 'late', labelIds: ['late', 'red'] })],
  [row('b', { payeeId: 'shop' }), row('c', { payeeId: 'mall', date: '2023-01-01' })],
  [{ type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'late' } }],
  [
    row('d', { payeeId: 'mall', date: '2022-01-01' }),
    { type: 'payee.merged', data: { payeeId: 'mall', intoPayeeId: 'late' } },
  ],
  [
    { type: 'payee.deleted', data: { payeeId: 'late' } },
    payee('late'),
    { ...row('a', { payeeId: 'late', labelIds: ['late'] }), type: 'transaction.changed' } as Draft,
  ],
  [{ type: 'label.deleted', data: { labelId: 'red' } }],
  [{ type: 'transaction.deleted', data: { transactionId: 'b' } }],
];

for (const [title, rowsMax] of [
  ['in chunks', 20_000],
  ['in shadow sets', 1],
] as const) {
  test(`sums on several pages, ${title}`, async t => {
    const database = mongo.database(`month_pages_${rowsMax}`);
    const scene = await createPartitionScene(database, { rowsMax });
    const { store } = scene;
    const eventOf = eventMaker('budget-1');
    const story = createStory();
    for (const drafts of CHUNKS) {
      for (const draft of drafts) story.tell(draft);
      await scene.tell(...drafts.map(draft => eventOf(draft)));
      const head = await scene.head('budget-1');
      t.is(head?.held, null);
      const stored = await store.collections.monthSums.find({ set: head?.set ?? '' }).toArray();
      const found = stored.map(({ _id, ...document }) => {
        const { id, set: _set, ...sums } = documentOf('monthSums', { _id, ...document });
        return [`monthSums ${id}`, sums] as const;
      });
      const expected = [...story.store.documents.values()].flatMap(({ id }) => {
        const document = story.document(`monthSums ${id}`);
        return document ? [[`monthSums ${id}`, document] as const] : [];
      });
      t.deepEqual(Object.fromEntries(found), Object.fromEntries(expected), drafts.at(-1)?.type);
      t.true(found.length > 0);
    }
    const pages = await store.collections.monthSums.distinct('id');
    t.true(pages.includes('2024-03/1'), String(pages));
  });
}
