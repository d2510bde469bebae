// Reads the files of an export, from its zip archive or from the folder it was unpacked to.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { UserError, unreadable } from '../process/errors.ts';
import { zipEntries } from '../process/unzip.ts';

export interface NamedFile {
  /** Without its folders. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Limits in bytes, as all is read into memory; larger files are refused. An entry counts with its inflated size. */
export interface FileLimits {
  readonly archiveBytesMax: number;
  readonly fileBytesMax: number;
}

export const FILE_LIMITS: FileLimits = { archiveBytesMax: 268_435_456, fileBytesMax: 268_435_456 };

interface Wanted {
  readonly pattern: RegExp;
  /** Name of the file, for error messages. */
  readonly words: string;
}

/**
 * Returns one file for each wanted pattern, in their order.
 *
 * @throws UserError if a pattern matches no file or several, or a file cannot be read or is too large
 */
export async function readFiles<const W extends readonly Wanted[]>(
  path: string,
  wanted: W,
  limits: FileLimits = FILE_LIMITS,
): Promise<{ [I in keyof W]: NamedFile }> {
  const source = await open(path, limits);
  const files: NamedFile[] = [];
  for (const { pattern, words } of wanted) {
    // macOS writes `._NAME` beside a file on volumes that cannot hold its attributes.
    const isWanted = (name: string) => pattern.test(name) && !name.startsWith('._');
    const names = source.names.filter(name => isWanted(basename(name)));
    const [name] = names;
    if (name === undefined || names.length > 1) {
      throw new UserError(`${path}: Expected one file ${words}, got ${names.length}`);
    }
    files.push({ name: basename(name), bytes: await source.read(name) });
  }
  // The compiler loses the tuple type in the loop.
  return files as { [I in keyof W]: NamedFile };
}

/** @throws UserError if the file cannot be read or is too large */
export async function readOneFile(
  path: string,
  limits: FileLimits = FILE_LIMITS,
): Promise<NamedFile> {
  return { name: basename(path), bytes: await bytesOf(path, limits.fileBytesMax) };
}

interface Source {
  readonly names: readonly string[];
  read(name: string): Promise<Buffer>;
}

async function open(path: string, limits: FileLimits): Promise<Source> {
  const { fileBytesMax, archiveBytesMax } = limits;
  if ((await readable(path, stat(path))).isDirectory()) {
    return {
      names: await readable(path, readdir(path)),
      read: name => bytesOf(join(path, name), fileBytesMax),
    };
  }
  const archive = await bytesOf(path, archiveBytesMax);
  const unzipped = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch(error => {
      throw new UserError(`${path}: ${(error as Error).message}`, { cause: error });
    });
  const all = await unzipped(zipEntries(archive));
  // macOS adds files with metadata to archives.
  const entries = all.filter(({ name }) => !name.startsWith('__MACOSX/'));
  return {
    names: entries.map(({ name }) => name),
    async read(name) {
      const entry = entries.find(one => one.name === name);
      if (entry === undefined) throw new Error(`No entry ${name}`);
      return await unzipped(entry.read(fileBytesMax));
    },
  };
}

async function bytesOf(path: string, bytesMax: number): Promise<Buffer> {
  const { size } = await readable(path, stat(path));
  const tooLarge = (got: string | number) =>
    new UserError(`${path}: Expected at most ${bytesMax} bytes, got ${got}`);
  if (size > bytesMax) throw tooLarge(size);
  // A pipe and a device have no size.
  const bytes = await readable(path, buffer(createReadStream(path, { end: bytesMax })));
  if (bytes.length > bytesMax) throw tooLarge('more');
  return bytes;
}

async function readable<T>(path: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw unreadable(path, error);
  }
}
