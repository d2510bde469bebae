import { createHash } from 'node:crypto';
import test from 'ava';
import {
  compareCodePoints,
  normalizeText,
  SEARCH_SEPARATOR,
  searchText,
} from '../../projections/normalize-text.ts';

test('the name key is NFC with each code point upper-cased and then lower-cased on its own', t => {
  const cases: [string, string][] = [
    ['Groceries', 'groceries'],
    ['É', 'é'],
    ['E\u0301', 'é'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφοσ'],
    ['ς', 'σ'],
    ['ſ', 's'],
    ['µ', 'μ'],
    ['\u{10400}', '\u{10428}'],
    ['\u212A', 'k'],
  ];
  for (const [name, key] of cases) t.is(normalizeText(name), key, name);
});

test('the name key ignores a case mapping to several code points', t => {
  for (const letter of ['ß', 'ﬁ', 'İ', 'ŉ', 'ǰ', 'ΐ', 'և']) t.is(normalizeText(letter), letter);
  t.is(normalizeText('ẞ'), 'ß');
  t.is(normalizeText('ᾼ'), 'ᾳ');
});

test('the name key ignores case mappings that are newer than Unicode 14', t => {
  for (const code of [0x1c89, 0xa7cb, 0xa7cc, 0xa7ce, 0xa7d2, 0xa7da, 0xa7dc, 0x10d50, 0x16ea0]) {
    const letter = String.fromCodePoint(code);
    t.is(normalizeText(letter), letter, code.toString(16));
  }
  t.is(normalizeText('\ua7c0'), '\ua7c1');
  t.is(normalizeText('\u0264'), '\u0264');
});

test('the name key is the same on every Node: marks and compositions newer than Unicode 14 are ignored', t => {
  t.is(normalizeText('a\u1acf\u0323'), 'a\u1acf\u0323');
  t.is(normalizeText('\u{105d2}\u0307'), '\u{105d2}\u0307');
  t.is(normalizeText('E\u0301\u1acfE\u0301'), 'é\u1acfé');
  const hash = createHash('sha256');
  for (let code = 0; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    hash.update(normalizeText(`a${letter}\u0323${letter}\u0301`));
  }
  // As Python 3.11 has it, whose tables are those of Unicode 14.
  t.is(hash.digest('hex'), 'b0d059ef7b19fbcdf8981a710f634d5826c34219d5d8f628d5db0eb19cada32c');
});

test('names are ordered by code point, not by UTF-16 unit', t => {
  const names = ['\u{1f600}', '\uff5e', '\ue000', 'z', 'a', ''];
  t.deepEqual([...names].sort(compareCodePoints), ['', 'a', 'z', '\ue000', '\uff5e', '\u{1f600}']);
  for (const name of names) t.is(compareCodePoints(name, name), 0);
});

test("normalized text contains no capital letter of ASCII, so neither the separator nor a memo's key", t => {
  let found = 0;
  for (let code = 0; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    if (/[A-Z]/.test(normalizeText(String.fromCodePoint(code)))) found += 1;
  }
  t.is(found, 0);
  t.regex(SEARCH_SEPARATOR, /^[A-Z]$/);
  t.is(searchText('Aldi', 'MILK', null), 'aldiAmilkA');
});
