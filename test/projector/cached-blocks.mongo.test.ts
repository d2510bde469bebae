// Memo blocks that are evicted between chunks are loaded again for rows that are still in memory.
import { createChunkCache } from '../../src/projector/fold/cache.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { row } from '../model/scene.ts';
import { eventMaker, FURNISHED } from '../projections/story.ts';
import { applyChunk } from './apply-chunk.ts';
import { createPartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

/** Spread over more blocks than the cache keeps. */
const RENAMES = Array.from(
  { length: 6600 },
  (_, index): Draft => ({ type: 'budget.renamed', data: { name: `Name ${index}` } }),
);
const CHUNKS: readonly (readonly Draft[])[] = [
  [...FURNISHED, row('first', { memo: 'Kept' })],
  RENAMES,
  [{ type: 'transaction.cleared', data: { transactionIds: ['row-1', 'first'] } }, ...RENAMES],
  [{ ...row('row-1', { memo: 'Added' }), type: 'transaction.changed' } as Draft],
  [...RENAMES, { type: 'transaction.deleted', data: { transactionId: 'first' } }],
  [row('last', { memo: 'Entered last' })],
];

test('chunks with a cache store the memos that the events contain', async t => {
  const { store, context, claim, eventLog } = await createPartitionScene(mongo.database('blocks'));
  const cache = createChunkCache();
  const eventOf = eventMaker('budget-1');
  let current = await claim();
  for (const drafts of CHUNKS) {
    eventLog.add(...drafts.map(draft => eventOf(draft)));
    const chunk = { records: eventLog.records.slice(current.next), next: eventLog.records.length };
    const { limits } = context;
    const applied = await applyChunk(store, chunk, { claim: current, limits, cache });
    current = { ...current, next: applied.next, fingerprints: applied.fingerprints };
  }
  const blocks = await store.collections.memoBlocks.find().sort({ _id: 1 }).toArray();
  const memos = blocks.map(({ id, text }) => [id, text.replaceAll(/[A-Z]/g, '')]);
  t.deepEqual(memos, [
    ['0', 'added'],
    [String(Math.floor(eventLog.records.length / 128)), 'entered last'],
  ]);
});
