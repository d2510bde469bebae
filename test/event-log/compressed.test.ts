// A compressed batch unfolds to at most 256 MiB: a few bytes more could end the process for want of memory.
import { gzipSync } from 'node:zlib';
import test from 'ava';
import kafkajs, { CompressionTypes } from 'kafkajs';
import { installCodecs } from '../../src/event-log/kafka/record-batches.ts';
import { createLogger } from '../../src/process/log.ts';

const BLOCK_BYTES = 131_072;
/** They are as many bytes as a batch may have. */
const BLOCKS = 2048;

test.before(() => installCodecs(createLogger('silent')));

const GZIPPED = gzipSync(Buffer.alloc(BLOCK_BYTES));

/** A file of several members has the contents of all. */
function gzipOf(blocks: number): Buffer {
  return Buffer.concat(Array.from({ length: blocks }, () => GZIPPED));
}

/** Blocks of one repeated byte (RFC 8878, section 3.1.1.2), in a frame whose window is as long as a block. */
function zstdOf(blocks: number): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]);
  const body = Array.from({ length: blocks }, (_, index) => {
    const block = Buffer.alloc(4);
    const isLast = index === blocks - 1;
    block.writeUIntLE((BLOCK_BYTES << 3) | (1 << 1) | Number(isLast), 0, 3);
    return block;
  });
  return Buffer.concat([header, ...body]);
}

for (const [name, type, batchOf] of [
  ['gzip', CompressionTypes.GZIP, gzipOf],
  ['zstd', CompressionTypes.ZSTD, zstdOf],
] as const) {
  test(`${name}: a batch that unfolds to more than 256 MiB is refused`, async t => {
    const { decompress } = kafkajs.CompressionCodecs[type]();
    t.is((await decompress(batchOf(3))).length, 3 * BLOCK_BYTES);
    const message =
      'Expected batches of at most 268435456 bytes without compression, got a larger one: its producer must write smaller batches';
    await t.throwsAsync(decompress(batchOf(BLOCKS + 1)), { name: 'UserError', message });
  });
}
