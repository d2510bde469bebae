// Reads a zip archive in memory (APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16).
import { crc32, inflateRawSync } from 'node:zlib';

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const END_COMMENT_BYTES_MAX = 0xffff;
const DIRECTORY_SIGNATURE = 0x02014b50;
const DIRECTORY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ZIP64 = 0xffffffff;

export interface ZipEntry {
  readonly name: string;
  /** Inflated size, as stated in the archive. */
  readonly sizeBytes: number;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

/**
 * Returns the entries of an archive in the order of its directory.
 *
 * @throws Error if the bytes are no zip archive
 */
export function zipEntries(archive: Buffer): ZipEntry[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + DIRECTORY_BYTES > end || archive.readUInt32LE(at) !== DIRECTORY_SIGNATURE) {
      throw new Error(`Broken zip archive: no directory entry at byte ${at}`);
    }
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + DIRECTORY_BYTES, at + DIRECTORY_BYTES + nameBytes);
    entries.push({
      name,
      sizeBytes: archive.readUInt32LE(at + 24),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      packedBytes: archive.readUInt32LE(at + 20),
      headerAt: archive.readUInt32LE(at + 42),
    });
    const variableBytes = nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    at += DIRECTORY_BYTES + variableBytes;
  }
  return entries;
}

/**
 * Returns the inflated bytes of an entry, checked against its size and checksum.
 *
 * @throws Error if the entry is damaged, unsupported, or larger than `bytesMax`
 */
export function readZipEntry(archive: Buffer, entry: ZipEntry, bytesMax: number): Buffer {
  if (entry.sizeBytes === ZIP64 || entry.packedBytes === ZIP64 || entry.headerAt === ZIP64) {
    throw new Error(`Zip64 is not supported: ${entry.name}`);
  }
  if (entry.sizeBytes > bytesMax) {
    throw new Error(
      `Expected ${entry.name} to have at most ${bytesMax} bytes, got ${entry.sizeBytes}`,
    );
  }
  const packed = packedBytesOf(archive, entry);
  const bytes = unpack(packed, entry);
  if (bytes.length !== entry.sizeBytes || crc32(bytes) !== entry.crc) {
    throw new Error(`Broken zip archive: ${entry.name} does not match its checksum`);
  }
  return bytes;
}

function unpack(packed: Buffer, entry: ZipEntry): Buffer {
  if (entry.method === STORED) return packed;
  if (entry.method !== DEFLATED) {
    throw new Error(`Zip method ${entry.method} of ${entry.name} is not supported`);
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.sizeBytes) });
  } catch (error) {
    const isLarger = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const got = isLarger ? 'more' : 'a damaged entry';
    const expected = `Expected ${entry.name} to have ${entry.sizeBytes} bytes, as the archive says`;
    throw new Error(`Broken zip archive: ${expected}, got ${got}`, { cause: error });
  }
}

function packedBytesOf(archive: Buffer, entry: ZipEntry): Buffer {
  const at = entry.headerAt;
  if (at + LOCAL_BYTES > archive.length || archive.readUInt32LE(at) !== LOCAL_SIGNATURE) {
    throw new Error(`Broken zip archive: no entry at byte ${at}`);
  }
  // The local header has its own lengths: its extra field may differ from that in the directory.
  const start = at + LOCAL_BYTES + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const end = start + entry.packedBytes;
  if (end > archive.length) throw new Error(`Broken zip archive: ${entry.name} is cut off`);
  return archive.subarray(start, end);
}

function findEnd(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END_BYTES - END_COMMENT_BYTES_MAX);
  for (let at = archive.length - END_BYTES; at >= lowest; at--) {
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw new Error('Not a zip archive: its directory was not found');
}
