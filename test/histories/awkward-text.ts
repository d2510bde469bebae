// Names and memos: everyday ones, and those that break careless code.
import type { Random } from './random.ts';

const EVERYDAY = ['Food', 'Rent', 'Salary', 'Corner shop', 'Cinema', 'Gas', 'Savings', 'Gifts'];

const AWKWARD = [
  'Straße',
  'STRASSE',
  'İstanbul',
  'ısı',
  'ﬁsh & ﬂat',
  'e\u0301clair',
  'ÉCLAIR',
  '\u212bngstrom',
  'A\u0308rger',
  'ärger',
  'o\u0323\u0302ng',
  'Σίσυφος',
  'ΣΊΣΥΦΟΣ',
  '👩‍👩‍👧‍👦 family',
  '🏠',
  '\u{10400}\u{10428} Deseret',
  '\u{10428}\u{10400} deseret',
  '\uffee half-width',
  '\u{1d49c} script',
  'line\u2028separator',
  'paragraph\u2029separator',
  'tab\tand\nnewline\r\n',
  'quote " apostrophe \' backslash \\ slash /',
  '\\u0041 \\n',
  'NUL\u0000inside',
  '\u0000',
  '\u007f\u0085',
  ' leading and trailing ',
  ' ',
  '\ufeffbyte order mark',
  '.*+?^$ {}()|[]',
  '<script>&amp;</script>',
  '$set',
  'a.b.c',
  '__proto__',
  'constructor',
  'null',
  '0',
  '-0',
  'ABC',
  'abc',
  'Abc',
  'ſ long s',
  'K kelvin',
  'ẞ',
  'ß',
  'ŉ',
  'ǅ titlecase',
  '\ua7cb\u0264',
  '\u1c89\u1c8a',
  '\u10d0\u1c90',
  '\u13a0\uab70',
  'العربية',
  '\u202eright to left',
  '中文',
  '한글',
  '\u1112\u1161\u11ab',
  'zero\u200bwidth',
  'Z'.repeat(200),
  '🎈'.repeat(200),
];

/** Returns 1 to 200 code points. */
export function randomName(random: Random, isWild: boolean): string {
  if (isWild && random.chance(0.6)) return random.pick(AWKWARD);
  return random.chance(0.5)
    ? random.pick(EVERYDAY)
    : `${random.pick(EVERYDAY)} ${random.between(1, 9)}`;
}

/** Returns up to 1000 code points, often none. */
export function randomMemo(random: Random, isWild: boolean): string {
  if (random.chance(0.4)) return '';
  const parts = Array.from({ length: random.between(1, 4) }, () => randomName(random, isWild));
  return Array.from(parts.join(' ')).slice(0, 1000).join('');
}
