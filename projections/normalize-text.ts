// Normalizes names and memos for order and search (rules/api.md#name-key, rules/readings.md#which-case-mapping).

// Letters whose case mapping came after Unicode 14. They stay as they are, so that every supported Node maps alike.
const NEWER_CASED: readonly (readonly [number, number])[] = [
  [0x1c89, 0x1c8a],
  [0xa7cb, 0xa7cf],
  [0xa7d2, 0xa7d2],
  [0xa7d4, 0xa7d4],
  [0xa7da, 0xa7dc],
  [0x10d50, 0x10d85],
  [0x16ea0, 0x16ed3],
];

// Marks, letters that are made of others, and letters that take part in them, which came after Unicode 14: nothing is composed
// or put in another order across them, so that every supported Node does the same.
const NEWER_COMPOSED =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each code point by itself is meant
  /([\u0897\u1acf-\u1add\u1ae0-\u1aeb\u{105c9}\u{105d2}\u{105da}\u{105e4}\u{10d69}-\u{10d6d}\u{10efa}-\u{10eff}\u{11382}-\u{11391}\u{113b8}-\u{113d0}\u{11f41}\u{11f42}\u{1611e}-\u{16129}\u{1612f}\u{16d63}-\u{16d6a}\u{1e08f}\u{1e4ec}-\u{1e4ef}\u{1e5ee}\u{1e5ef}\u{1e6e3}-\u{1e6f5}])/u;

// ASCII only needs lower-casing, so most names and memos take one native call.
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Never part of a normalized text, because normalizing turns it into `a`. Between the parts of a search text it keeps a
 * substring test from matching across two parts.
 */
export const SEARCH_SEPARATOR = 'A';

const mapped = new Map<string, string>();

/**
 * Returns the text in NFC, with each code point upper-cased and then lower-cased by itself. Mappings to several code
 * points are not applied.
 */
export function normalizeText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  let result = '';
  for (const letter of composed(text)) result += mapLetter(letter);
  return result;
}

function composed(text: string): string {
  // Nearly every text: a replay asks for millions.
  if (!NEWER_COMPOSED.test(text)) return text.normalize('NFC');
  const parts = text.split(NEWER_COMPOSED);
  return parts.map((part, index) => (index % 2 === 0 ? part.normalize('NFC') : part)).join('');
}

/** Returns the text that searches run over: payee, memo and category, kept apart by the separator. */
export function searchText(payee: string | null, memo: string, category: string | null): string {
  return [payee ?? '', memo, category ?? ''].map(normalizeText).join(SEARCH_SEPARATOR);
}

function mapLetter(letter: string): string {
  const known = mapped.get(letter);
  if (known !== undefined) return known;
  const result = isNewerCased(letter) ? letter : mapOne(mapOne(letter, 'upper'), 'lower');
  // Real texts use few letters, but a hostile one could use all: letters beyond the bound are not remembered.
  if (mapped.size < 10_000) mapped.set(letter, result);
  return result;
}

function mapOne(letter: string, to: 'upper' | 'lower'): string {
  const mapped = to === 'upper' ? letter.toUpperCase() : letter.toLowerCase();
  return [...mapped].length === 1 ? mapped : letter;
}

function isNewerCased(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  return NEWER_CASED.some(([first, last]) => code >= first && code <= last);
}

/** Orders texts by code point (not by UTF-16 unit, which would put astral letters before U+E000). */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

// Surrogates stand for code points above U+FFFF, so they rank above every other unit.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
