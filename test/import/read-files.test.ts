// An import finds its files in archives and folders, and limits their size.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { readFiles, readOneFile } from '../../src/import/read-files.ts';
import { UserError } from '../../src/process/errors.ts';
import { makeZip } from '../helpers/make-zip.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const WANTED = [{ pattern: /^a\.csv$/, words: 'named a.csv' }];
const LIMITS = { archiveBytesMax: 1000, fileBytesMax: 100 };

const file = (name: string, size: number) => ({ name, bytes: Buffer.alloc(size, 'a') });

test('folders in an archive do not matter, nor do the files that macOS adds', async t => {
  const path = join(await temporaryFolder(t), 'x.zip');
  await writeFile(path, makeZip([file('b/a.csv', 100), file('__MACOSX/b/a.csv', 1)]));
  const [found] = await readFiles(path, WANTED, LIMITS);
  t.deepEqual(found, { name: 'a.csv', bytes: Buffer.alloc(100, 'a') });
});

test('attributes that macOS keeps beside a file are no second file', async t => {
  const path = join(await temporaryFolder(t), 'x.zip');
  const wanted = [{ pattern: /a\.csv$/, words: 'named a.csv' }];
  await writeFile(path, makeZip([file('home a.csv', 100), file('._home a.csv', 1)]));
  t.like(await readFiles(path, wanted, LIMITS), [{ name: 'home a.csv' }]);
});

test('a file that is too large is refused before it is in memory', async t => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'x.zip');
  const refused = async (at: string, message: RegExp) => {
    await t.throwsAsync(readFiles(at, WANTED, LIMITS), { instanceOf: UserError, message });
  };
  await writeFile(path, Buffer.alloc(1001));
  await refused(path, /x.zip: Expected at most 1000 bytes, got 1001/);
  await writeFile(path, makeZip([file('a.csv', 101)]));
  await refused(path, /x.zip: Expected a.csv to have at most 100 bytes, got 101/);
  // The declared size limits the inflation of an entry that is in fact larger.
  await writeFile(path, makeZip([{ ...file('a.csv', 100_000), size: 100 }]));
  await refused(path, /x.zip: Broken zip archive: a.csv: /);
  await writeFile(join(folder, 'a.csv'), Buffer.alloc(101));
  await refused(folder, /a.csv: Expected at most 100 bytes, got 101/);
  // A device has no size, and no end.
  await t.throwsAsync(readOneFile('/dev/zero', LIMITS), {
    instanceOf: UserError,
    message: '/dev/zero: Expected at most 100 bytes, got more',
  });
});

test('a truncated zip archive is refused', async t => {
  const path = join(await temporaryFolder(t), 'x.zip');
  const whole = makeZip([file('a.csv', 100)]);
  for (const bytes of [whole.subarray(0, 40), whole.subarray(20)]) {
    await writeFile(path, bytes);
    await t.throwsAsync(readFiles(path, WANTED, LIMITS), {
      instanceOf: UserError,
      message: /x.zip: /,
    });
  }
});
