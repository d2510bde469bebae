import * as zlib from 'node:zlib';
import test from 'ava';
import { type ContentCoding, chooseCoding, codingOf } from '../../src/http/content-coding.ts';

const hasZstd = 'zstdCompress' in zlib;
const best = hasZstd ? 'zstd' : 'br';

test('the header decides by its weights; of equal ones the cheapest for its size', t => {
  const codings: Record<string, ContentCoding | null> = {
    gzip: 'gzip',
    GZIP: 'gzip',
    br: 'br',
    'gzip, deflate, br': 'br',
    'gzip, deflate, br, zstd': best,
    'zstd, gzip;q=0.5': hasZstd ? 'zstd' : 'gzip',
    'br;q=0.2, gzip;q=0.8': 'gzip',
    'gzip;q=0.5': 'gzip',
    '*': best,
    '*;q=0.1, gzip;q=0': best,
    'br;q=0, zstd;q=0, *': 'gzip',
    'identity, gzip;q=0.5': null,
    'identity;q=0.5, gzip;q=0.9': 'gzip',
    'gzip;q=0': null,
    '*;q=0': null,
    identity: null,
    deflate: null,
    compress: null,
    '': null,
  };
  for (const [header, coding] of Object.entries(codings)) {
    t.is(chooseCoding(header).coding, coding, header);
  }
});

test('a malformed or endless header never fails, and what is readable in it counts', t => {
  const codings: Record<string, ContentCoding | null> = {
    ',,;;q': null,
    'gzip;q=': 'gzip',
    'gzip;q=x': null,
    'gzip;q=-1': null,
    '\u0000gzip': null,
    'gzip;;q=1': 'gzip',
    '"gzip': null,
    'gzip, @@@': 'gzip',
    [`${'x,'.repeat(7000)}gzip`]: null,
    ['gzip,'.repeat(3000)]: null,
  };
  for (const [header, coding] of Object.entries(codings)) {
    t.is(chooseCoding(header).coding, coding, header.slice(0, 40));
  }
});

test('bodies of up to 1400 bytes stay as they are, unless the client refuses that', t => {
  const gzip = chooseCoding('gzip');
  t.is(codingOf(gzip, 'x'.repeat(1400)), null);
  t.is(codingOf(gzip, 'x'.repeat(1401)), 'gzip');
  t.is(codingOf(gzip, 'ü'.repeat(701)), 'gzip', 'bytes count, not characters');
  t.is(codingOf(gzip, Buffer.alloc(1400)), null);
  t.is(codingOf(gzip, Buffer.alloc(1401)), 'gzip');
  for (const header of ['gzip, identity;q=0', 'gzip, *;q=0']) {
    t.is(codingOf(chooseCoding(header), 'x'), 'gzip', header);
  }
  t.is(codingOf(chooseCoding('identity;q=0'), 'x'.repeat(9999)), null, 'readable rather than 406');
});
