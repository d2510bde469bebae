// The partition of a key: murmur2 as in Kafka's default partitioner, so both logs distribute keys alike.

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;

/** Returns the partition (0 to partitions − 1) that holds all records of a key. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}

/** Returns MurmurHash2 (32 bits, signed) with the seed of org.apache.kafka.common.utils.Utils. */
export function murmur2(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(view.getInt32(at, true), MULTIPLIER);
    word = Math.imul(word ^ (word >>> 24), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ word;
  }
  if (whole < bytes.length) {
    for (let at = bytes.length - 1; at >= whole; at -= 1) {
      hash ^= view.getUint8(at) << (8 * (at - whole));
    }
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}
