// Makes up for a defect of kafkajs 2.2.4: it adds the records of a batch as arguments of one call, for which the stack has no
// room beyond about 120,000.

interface Decoder {
  readonly buffer: Buffer;
  readonly offset: number;
  readInt32(): number;
  readBytes(bytes: number): Buffer;
  canReadBytes(bytes: number): boolean;
}

type DecodeMessages = (decoder: Decoder) => Promise<unknown[]>;

/** Byte of a batch that names its format, and the format of Kafka 0.11 and later. */
const MAGIC_AT = 16;
const MAGIC = 2;
/** Bytes of a batch without records. */
const BATCH_BYTES_MIN = 49;

/** @param decodeOthers decodes earlier formats, and no messages at all */
function decodeMessages(require: NodeJS.Require, decodeOthers: DecodeMessages): DecodeMessages {
  const BytesDecoder: new (bytes: Buffer) => Decoder = require('kafkajs/src/protocol/decoder');
  const decodeBatch: (decoder: Decoder) => Promise<{ readonly records: readonly unknown[] }> =
    require('kafkajs/src/protocol/recordBatch/v0/decoder');
  return async decoder => {
    const { buffer, offset } = decoder;
    // The size comes before the batches.
    const at = offset + 4 + MAGIC_AT;
    const bytes = buffer.length > at ? buffer.readInt32BE(offset) : 0;
    const isWhole = bytes > MAGIC_AT && offset + 4 + bytes <= buffer.length;
    if (!isWhole || buffer.readInt8(at) !== MAGIC) return await decodeOthers(decoder);
    const batches = new BytesDecoder(decoder.readBytes(decoder.readInt32()));
    const records: unknown[] = [];
    while (batches.canReadBytes(BATCH_BYTES_MIN)) {
      try {
        for (const record of (await decodeBatch(batches)).records) records.push(record);
      } catch (error) {
        // The last batch may be cut by the limit of the fetch.
        if ((error as Error).name !== 'KafkaJSPartialMessageError') throw error;
        break;
      }
    }
    return records;
  };
}

/** Must run before the first fetch. */
export function patchDecoding(require: NodeJS.Require): void {
  const path = require.resolve('kafkajs/src/protocol/requests/fetch/v4/decodeMessages');
  const decodeOthers: DecodeMessages = require(path);
  const loaded = require.cache[path];
  if (loaded) loaded.exports = decodeMessages(require, decodeOthers);
}
