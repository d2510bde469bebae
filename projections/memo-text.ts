// The text of a block of memos. A byte search runs over it, and each hit leads back to its row.
import { normalizeText } from './normalize-text.ts';
import { dayNumber, type Place, placeOn } from './place.ts';

// Normalized text has no ASCII capitals (see SEARCH_SEPARATOR), so keys consist of them and each memo follows its key.
// The text of a search is normalized too: it never matches inside a key or across the end of a memo.
const ENTRY_LETTERS = 2;
const KEY_LETTERS = ENTRY_LETTERS + 5;
const A = 65;
const LETTERS = 26;

/** Successive entries that share a block. More would make each change of a memo slower, fewer each search. */
export const BLOCK_ENTRIES = 128;

/** Returns the key of a row's memo within its block: entry, then date. All keys have the same length. */
export function memoKey(entry: number, date: string): string {
  return lettersOf(entry % BLOCK_ENTRIES, ENTRY_LETTERS) + lettersOf(dayNumber(date), 5);
}

/** Returns the text with another memo. Memos are in the order of their keys, in whatever order they were added. */
export function withMemo(text: string, key: string, memo: string): string {
  let at = text.length;
  // From the end, because the last entry has the highest key.
  for (let start = keyBefore(text, at); start >= 0; start = keyBefore(text, at)) {
    if (text.slice(start, start + KEY_LETTERS) < key) break;
    at = start;
  }
  return text.slice(0, at) + key + normalizeText(memo) + text.slice(at);
}

export function withoutMemo(text: string, key: string): string {
  const at = text.indexOf(key);
  if (at < 0) throw new Error(`Expected a memo under ${key}`);
  return text.slice(0, at) + text.slice(endOfMemo(text, at + KEY_LETTERS));
}

/** Returns the places of the rows whose memos contain a normalized text. */
export function placesIn(block: number, text: string, normalized: string): Place[] {
  const places: Place[] = [];
  for (let hit = text.indexOf(normalized); hit >= 0; ) {
    const at = keyBefore(text, hit);
    const entry = numberOf(text.slice(at, at + ENTRY_LETTERS));
    const day = numberOf(text.slice(at + ENTRY_LETTERS, at + KEY_LETTERS));
    places.push(placeOn(day, block * BLOCK_ENTRIES + entry));
    hit = text.indexOf(normalized, endOfMemo(text, hit));
  }
  return places;
}

/** Returns where the last key before `end` begins, −1 without one. */
function keyBefore(text: string, end: number): number {
  let at = end - 1;
  while (at >= 0 && !isLetter(text.charCodeAt(at))) at -= 1;
  return at < 0 ? -1 : at - KEY_LETTERS + 1;
}

function endOfMemo(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLetter(text.charCodeAt(at))) at += 1;
  return at;
}

function isLetter(unit: number): boolean {
  return unit >= A && unit < A + LETTERS;
}

function lettersOf(value: number, length: number): string {
  let letters = '';
  for (let rest = value; letters.length < length; rest = Math.floor(rest / LETTERS)) {
    letters = String.fromCharCode(A + (rest % LETTERS)) + letters;
  }
  return letters;
}

function numberOf(letters: string): number {
  let value = 0;
  for (let at = 0; at < letters.length; at += 1)
    value = value * LETTERS + letters.charCodeAt(at) - A;
  return value;
}
