import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createTokenValue, isTokenValue } from '../../src/access/token-value.ts';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (ISO 3309) bit by bit: an independent implementation to compare with. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  const digits: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) digits.unshift(rest % 62);
  return digits.map(digit => LETTERS[digit]).join('');
}

const bytes = (...values: number[]) => {
  const queue = [...values];
  return (count: number) => Uint8Array.from({ length: count }, () => queue.shift() ?? 0);
};

test('the independent CRC-32 returns the published check value', t => {
  t.is(crc32('123456789'), 0xcbf43926);
});

test('a token is service_pat_, 30 random base62 letters and 6 letters of their CRC32', t => {
  const letters = LETTERS.slice(0, 30);
  const value = createTokenValue(bytes(...Array.from({ length: 30 }, (_, index) => index)));
  t.is(value, `service_pat_${letters}${base62(crc32(letters)).padStart(6, '0')}`);
  t.true(isTokenValue(value));
});

test('known tokens are valid', t => {
  // Python: binascii.crc32 of the 30 letters, then base62.
  t.true(isTokenValue(`service_pat_${'0'.repeat(30)}2C8GjS`));
  t.true(isTokenValue(`service_pat_${'z'.repeat(30)}4IlJEz`));
});

test('0 pads a small checksum on the left', t => {
  const random = (count: number) => randomBytes(count);
  let padded: string | undefined;
  for (let tries = 0; tries < 10_000 && padded === undefined; tries += 1) {
    const value = createTokenValue(random);
    if (crc32(value.slice(12, 42)) < 62 ** 5) padded = value;
  }
  t.regex(padded ?? '', /^service_pat_[0-9A-Za-z]{30}0[0-9A-Za-z]{5}$/);
  t.is(base62(crc32((padded ?? '').slice(12, 42))).padStart(6, '0'), (padded ?? '').slice(42));
});

test('random bytes that would favour some letters are discarded', t => {
  const value = createTokenValue(bytes(248, 255, ...new Array<number>(30).fill(61)));
  t.is(value.slice(12, 42), 'z'.repeat(30));
});

test('each letter comes from exactly four byte values', t => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 248; byte += 1) {
    const letter = createTokenValue(() => Uint8Array.from({ length: 30 }, () => byte)).charAt(12);
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  t.is(counts.size, 62);
  t.true([...counts.values()].every(count => count === 4));
});

test('the checksum detects a change of any one letter', t => {
  const value = createTokenValue(randomBytes);
  for (let index = 0; index < value.length; index += 1) {
    const other = value[index] === 'a' ? 'b' : 'a';
    t.false(isTokenValue(value.slice(0, index) + other + value.slice(index + 1)), `${index}`);
  }
});

test('other shapes are not tokens', t => {
  const value = createTokenValue(randomBytes);
  for (const junk of ['', 'x', value.slice(12), `${value}0`, value.slice(0, -1), ` ${value}`]) {
    t.false(isTokenValue(junk), junk);
  }
  t.false(isTokenValue(`${value}\n`));
  t.false(isTokenValue(value.toUpperCase()));
});
