// Reads a zip archive in memory, with limits and checksums.
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** Each takes memory before anything is unpacked. */
const ENTRIES_MAX = 10_000;

export interface ZipEntry {
  readonly name: string;
  /** Inflated size, as stated in the archive. */
  readonly sizeBytes: number;
  /**
   * Returns the inflated bytes, checked against the size and the checksum.
   *
   * @throws Error if the entry is damaged, unsupported, or larger than `bytesMax`
   */
  read(bytesMax: number): Promise<Buffer>;
}

/**
 * Returns the entries of an archive in the order of its directory.
 *
 * @throws Error if the bytes are no zip archive
 */
export async function zipEntries(archive: Buffer): Promise<ZipEntry[]> {
  try {
    const file = await fromBufferPromise(archive);
    const entries: ZipEntry[] = [];
    if (file.entryCount > ENTRIES_MAX) {
      throw new Error(`Expected at most ${ENTRIES_MAX} entries, got ${file.entryCount}`);
    }
    for await (const entry of file.eachEntry()) {
      const { fileName: name, uncompressedSize: sizeBytes } = entry;
      entries.push({ name, sizeBytes, read: bytesMax => inflated(file, entry, bytesMax) });
    }
    return entries;
  } catch (error) {
    throw new Error(`Not a zip archive: ${(error as Error).message}`, { cause: error });
  }
}

async function inflated(file: ZipFile, entry: Entry, bytesMax: number): Promise<Buffer> {
  const { fileName: name, uncompressedSize: sizeBytes } = entry;
  if (sizeBytes > bytesMax) {
    throw new Error(`Expected ${name} to have at most ${bytesMax} bytes, got ${sizeBytes}`);
  }
  const bytes = await unpacked(file, entry);
  if (crc32(bytes) !== entry.crc32) {
    throw new Error(`Broken zip archive: ${name} does not match its checksum`);
  }
  return bytes;
}

/** The library ends where more comes than the archive says. */
async function unpacked(file: ZipFile, entry: Entry): Promise<Buffer> {
  try {
    return await buffer(await file.openReadStreamPromise(entry));
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`Broken zip archive: ${entry.fileName}: ${message}`, { cause: error });
  }
}
