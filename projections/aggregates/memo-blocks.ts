// Folded memos in blocks, so that a search need not look at every row.
import type { Row } from '../documents.ts';
import { BLOCK_ENTRIES, memoKey, withMemo, withoutMemo } from '../memo-text.ts';
import type { WorkingSet } from '../working-set.ts';

/** The number of the block of a row: rows that were entered one after the other share one. */
export function memoBlockOf(entry: number): number {
  return Math.floor(entry / BLOCK_ENTRIES);
}

/** A row without a memo has no part in any block. */
export function memoBlocks(documents: WorkingSet, row: Row, sign: 1 | -1): void {
  if (row.memo === '') return;
  const { set, entry } = row;
  const id = String(memoBlockOf(entry));
  const key = memoKey(entry, row.date);
  const { document } = documents.edit('memoBlocks', set, id, stored => ({
    set,
    id,
    text: stored?.text ?? '',
  }));
  document.text =
    sign === 1 ? withMemo(document.text, key, row.memo) : withoutMemo(document.text, key);
  if (document.text === '') documents.put('memoBlocks', set, id, null);
}
