// The name key, also used for searches (rules/api.md#name-key): NFC, then each code point is upper-cased and
// lower-cased on its own.

// Code points with case that Unicode 15, 16 and 17 added. Unicode 14 has no case for them.
const CASED_SINCE_UNICODE_15: readonly (readonly [number, number])[] = [
  [0x1c89, 0x1c8a],
  [0xa7cb, 0xa7cf],
  [0xa7d2, 0xa7d2],
  [0xa7d4, 0xa7d4],
  [0xa7da, 0xa7dc],
  [0x10d50, 0x10d85],
  [0x16ea0, 0x16ed3],
];

export function normalizeText(text: string): string {
  return Array.from(text.normalize('NFC'), normalizeCodePoint).join('');
}

function normalizeCodePoint(character: string): string {
  const upper = mapped(character, character.toUpperCase());
  return mapped(upper, upper.toLowerCase());
}

/** Returns the mapping if it is one code point and part of Unicode 14, else the character itself. */
function mapped(from: string, to: string): string {
  return Array.from(to).length === 1 && isUnicode14(from) && isUnicode14(to) ? to : from;
}

function isUnicode14(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return !CASED_SINCE_UNICODE_15.some(([first, last]) => code >= first && code <= last);
}

/** Compares by code point, not by UTF-16 unit. */
export function compareText(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)];
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i]?.codePointAt(0) ?? 0) - (b[i]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

interface Placed {
  id: string;
  name: string;
}

export function byNameThenId(left: Placed, right: Placed): number {
  return (
    compareText(normalizeText(left.name), normalizeText(right.name)) ||
    compareText(left.id, right.id)
  );
}

/** Compares by position, with null last, then by name key, then by id. */
export function byPosition(
  left: Placed & { position: number | null },
  right: Placed & { position: number | null },
): number {
  const [a, b] = [left.position, right.position];
  if (a !== null && b !== null && a !== b) return a - b;
  if ((a === null) !== (b === null)) return a === null ? 1 : -1;
  return byNameThenId(left, right);
}
