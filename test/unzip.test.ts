import test from 'ava';
import { readZipEntry, zipEntries } from '../src/unzip.ts';
import { makeZip, type ZipFile } from './helpers/make-zip.ts';

const TEXT = Buffer.from('envelope '.repeat(1000));
const BYTES_MAX = 10_000;

function read(archive: Buffer, index = 0): Buffer {
  const entry = zipEntries(archive)[index];
  if (entry === undefined) throw new Error(`No entry ${index}`);
  return readZipEntry(archive, entry, BYTES_MAX);
}

test('deflated and stored entries are read by name, behind any comment', t => {
  const files: ZipFile[] = [
    { name: 'a/deflated.txt', bytes: TEXT },
    { name: 'ü/stored.txt', bytes: TEXT, stored: true },
    { name: 'empty', bytes: Buffer.alloc(0) },
  ];
  const archive = makeZip(files, 'a comment');
  t.deepEqual(
    zipEntries(archive).map(({ name, sizeBytes }) => [name, sizeBytes]),
    files.map(({ name, bytes }) => [name, bytes.length]),
  );
  for (const [index, file] of files.entries()) t.deepEqual(read(archive, index), file.bytes);
});

test('an archive without entries has none', t => {
  t.deepEqual(zipEntries(makeZip([])), []);
});

test('other files are refused', t => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), TEXT]) {
    t.throws(() => zipEntries(bytes), { message: /^Not a zip archive/ });
  }
});

test('a damaged archive is refused: directory, entry, checksum, size, truncation', t => {
  const good = makeZip([{ name: 'x', bytes: TEXT }]);
  const wrongDirectory = Buffer.from(good);
  wrongDirectory.writeUInt32LE(good.length - 3, good.length - 6);
  t.throws(() => zipEntries(wrongDirectory), { message: /no directory entry/ });
  const noEntry = Buffer.from(good);
  noEntry.writeUInt32LE(0, 0);
  t.throws(() => read(noEntry), { message: /no entry at byte 0/ });
  t.throws(() => read(makeZip([{ name: 'x', bytes: TEXT, crc: 1 }])), { message: /checksum/ });
  t.throws(() => read(makeZip([{ name: 'x', bytes: TEXT, size: 9001 }])), { message: /checksum/ });
  t.throws(() => read(makeZip([{ name: 'x', bytes: TEXT, size: 8000 }])), {
    message: 'Broken zip archive: Expected x to have 8000 bytes, as the archive says, got more',
  });
  const noise = Buffer.from(good);
  noise.fill(0xff, 40, 60);
  t.throws(() => read(noise), {
    message:
      'Broken zip archive: Expected x to have 9000 bytes, as the archive says, got a damaged entry',
  });
  const entry = zipEntries(good)[0];
  t.truthy(entry);
  if (entry)
    t.throws(() => readZipEntry(good.subarray(0, 60), entry, BYTES_MAX), { message: /cut off/ });
});

test('an entry larger than expected is refused before it is unpacked', t => {
  const bomb = makeZip([{ name: 'x', bytes: Buffer.alloc(BYTES_MAX + 1) }]);
  t.throws(() => read(bomb), { message: 'Expected x to have at most 10000 bytes, got 10001' });
});
