import test from 'ava';
import { zipEntries } from '../../src/process/unzip.ts';
import { makeZip, type ZipFile } from '../helpers/make-zip.ts';

const TEXT = Buffer.from('envelope '.repeat(1000));
const BYTES_MAX = 10_000;

async function read(archive: Buffer, index = 0): Promise<Buffer> {
  const entry = (await zipEntries(archive))[index];
  if (entry === undefined) throw new Error(`No entry ${index}`);
  return await entry.read(BYTES_MAX);
}

test('deflated and stored entries are read by name, behind any comment', async t => {
  const files: ZipFile[] = [
    { name: 'a/deflated.txt', bytes: TEXT },
    { name: 'ü/stored.txt', bytes: TEXT, stored: true },
    { name: 'empty', bytes: Buffer.alloc(0) },
  ];
  const archive = makeZip(files, 'a comment');
  t.deepEqual(
    (await zipEntries(archive)).map(({ name, sizeBytes }) => [name, sizeBytes]),
    files.map(({ name, bytes }) => [name, bytes.length]),
  );
  for (const [index, file] of files.entries()) t.deepEqual(await read(archive, index), file.bytes);
});

test('an archive without entries has none', async t => {
  t.deepEqual(await zipEntries(makeZip([])), []);
});

test('more entries than an export has are refused before they are listed', async t => {
  const files = Array.from({ length: 10_001 }, (_, index) => {
    return { name: String(index), bytes: Buffer.alloc(0), stored: true } as const;
  });
  t.is((await zipEntries(makeZip(files.slice(1)))).length, 10_000);
  const message = 'Not a zip archive: Expected at most 10000 entries, got 10001';
  await t.throwsAsync(zipEntries(makeZip(files)), { message });
});

test('other files are refused', async t => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), TEXT]) {
    await t.throwsAsync(zipEntries(bytes), { message: /^Not a zip archive: / });
  }
});

test('a damaged archive is refused: directory, entry, checksum, size, truncation', async t => {
  const good = makeZip([{ name: 'x', bytes: TEXT }]);
  const wrongDirectory = Buffer.from(good);
  wrongDirectory.writeUInt32LE(good.length - 3, good.length - 6);
  await t.throwsAsync(zipEntries(wrongDirectory), { message: /^Not a zip archive: / });
  const broken = { message: /^Broken zip archive: x/ };
  const noEntry = Buffer.from(good);
  noEntry.writeUInt32LE(0, 0);
  await t.throwsAsync(read(noEntry), broken);
  for (const wrong of [{ crc: 1 }, { size: 9001 }, { size: 8000 }]) {
    await t.throwsAsync(read(makeZip([{ name: 'x', bytes: TEXT, ...wrong }])), broken);
  }
  const noise = Buffer.from(good);
  noise.fill(0xff, 40, 60);
  await t.throwsAsync(read(noise), broken);
  await t.throwsAsync(zipEntries(good.subarray(0, 60)), { message: /^Not a zip archive: / });
});

test('an entry larger than expected is refused before it is unpacked', async t => {
  const bomb = makeZip([{ name: 'x', bytes: Buffer.alloc(BYTES_MAX + 1) }]);
  await t.throwsAsync(read(bomb), { message: 'Expected x to have at most 10000 bytes, got 10001' });
});
