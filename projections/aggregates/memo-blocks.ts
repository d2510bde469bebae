// Memos in normalized form and in blocks, so that a search does not read every row.
import type { InSet } from '../documents.ts';
import type { EditableDocuments } from '../editable-documents.ts';
import { BLOCK_ENTRIES, memoKey, withMemo, withoutMemo } from '../memo-text.ts';
import { overRows, type RowPart, type Sign } from './aggregate.ts';

/** The memos of rows that were entered one after the other, in one text (projections/memo-text.ts). */
export interface MemoBlock extends InSet {
  text: string;
}

export const memoBlocks = overRows('memoBlocks', ['memo', 'date'], {
  idOfEntry: entry => String(memoBlockOf(entry)),
  take: takeRow,
});

/** Returns the number of a row's block: rows that were entered one after the other share one. */
export function memoBlockOf(entry: number): number {
  return Math.floor(entry / BLOCK_ENTRIES);
}

function takeRow(
  documents: EditableDocuments<{ memoBlocks: MemoBlock }>,
  row: RowPart<'memo' | 'date'>,
  sign: Sign,
): void {
  // A row without a memo is in no block.
  if (row.memo === '') return;
  const { set, entry } = row;
  const id = String(memoBlockOf(entry));
  const key = memoKey(entry, row.date);
  const { document } = documents.edit('memoBlocks', { set, id }, copy);
  document.text =
    sign === 1 ? withMemo(document.text, key, row.memo) : withoutMemo(document.text, key);
  if (document.text === '') documents.remove('memoBlocks', set, id);
}

function copy(stored: MemoBlock | null, { set, id }: InSet): MemoBlock {
  return { set, id, text: stored?.text ?? '' };
}
