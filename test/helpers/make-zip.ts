// Writes small zip archives for tests.
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly stored?: boolean;
  /** Replaces the true one. */
  readonly crc?: number;
  /** Replaces the true one. */
  readonly size?: number;
}

const UTF8_NAMES = 0x0800;

export function makeZip(files: readonly ZipFile[], comment = ''): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const file of files) {
    const packed = file.stored ? file.bytes : deflateRawSync(file.bytes);
    const fields = fieldsOf(file, packed);
    const local = Buffer.concat([number(0x04034b50, 4), fields, Buffer.from(`${file.name}XX`)]);
    // The local header has an extra field that the directory lacks.
    local.writeUInt16LE(2, 28);
    const rest = [number(0, 2), number(0, 2), number(0, 2), number(0, 4), number(at, 4)];
    directory.push(
      Buffer.concat([
        number(0x02014b50, 4),
        number(20, 2),
        fields,
        ...rest,
        Buffer.from(file.name),
      ]),
    );
    parts.push(local, packed);
    at += local.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const counts = [number(files.length, 2), number(files.length, 2)];
  const end = [number(0x06054b50, 4), number(0, 4), ...counts];
  const tail = [number(entries.length, 4), number(at, 4), number(comment.length, 2)];
  return Buffer.concat([...parts, entries, ...end, ...tail, Buffer.from(comment)]);
}

/** From "version needed" to the length of the extra field: the same in both headers. */
function fieldsOf(file: ZipFile, packed: Buffer): Buffer {
  return Buffer.concat([
    number(20, 2),
    number(UTF8_NAMES, 2),
    number(file.stored ? 0 : 8, 2),
    number(0, 4),
    number(file.crc ?? crc32(file.bytes), 4),
    number(packed.length, 4),
    number(file.size ?? file.bytes.length, 4),
    number(Buffer.byteLength(file.name), 2),
    number(0, 2),
  ]);
}

function number(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
