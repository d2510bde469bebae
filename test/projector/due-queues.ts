// Queues that are about to be drained: the commit that closes a gap moves the checkpoint first.
import type { GenerationCollections } from '../../src/store/collections.ts';

/** Returns the streams whose gap is closed while their queue still waits, each in words. */
export async function dueQueues({
  heads,
  waiting,
}: Pick<GenerationCollections, 'heads' | 'waiting'>): Promise<string[]> {
  const due: string[] = [];
  for await (const { _id, sequence } of heads.find({ 'held.why': 'gap' })) {
    const next = await waiting.findOne({ subject: _id, sequence: sequence + 1 });
    if (next) due.push(`the queue of ${_id} is at ${sequence}`);
  }
  return due;
}
