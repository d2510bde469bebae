// The name key: which letters are equal under it, and which are not.
import test from 'ava';
import { compareText, normalizeText } from './normalize-text.ts';

const FOLDED: readonly (readonly [text: string, normalized: string, why: string])[] = [
  ['ABC', 'abc', 'plain letters'],
  ['e\u0301', '\u00e9', 'NFC first'],
  ['\u212b', '\u00e5', 'the angstrom sign is a letter in NFC'],
  ['ß', 'ß', 'SS is two code points'],
  ['ẞ', 'ß', 'the capital one has a single lower case'],
  ['ﬁ', 'ﬁ', 'FI is two code points'],
  ['İ', 'İ', 'its lower case is two code points'],
  ['ı', 'i', 'by way of I'],
  ['ſ', 's', 'by way of S'],
  ['ςΣσ', 'σσσ', 'each code point by itself, so no final sigma'],
  ['ǅ', 'ǆ', 'titlecase'],
  ['ŉ', 'ŉ', 'its upper case is two code points'],
  ['\u{10400}', '\u{10428}', 'astral letters have case'],
  ['\u10d0\u1c90', '\u10d0\u10d0', 'Georgian'],
  ['\u13a0', '\uab70', 'Cherokee folds to the small letters'],
  ['\ua7cb', '\ua7cb', 'since Unicode 16'],
  ['\u0264', '\u0264', 'has an upper case since Unicode 16'],
  ['\ua7d2', '\ua7d2', 'since Unicode 17'],
  ['\u{10d50}', '\u{10d50}', 'Garay, since Unicode 16'],
  ['\u{16ea0}', '\u{16ea0}', 'Beria Erfe, since Unicode 17'],
];

for (const [text, normalized, why] of FOLDED) {
  test(`the name key of ${JSON.stringify(text)}: ${why}`, t => {
    t.is(normalizeText(text), normalized);
  });
}

test('the model orders names by code point, not by UTF-16 unit', t => {
  t.true(compareText('\uffee', '\u{10428}') < 0);
  t.true(compareText('a', 'ab') < 0);
  t.is(compareText('a', 'a'), 0);
});
