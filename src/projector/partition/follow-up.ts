// What follows the commit of a chunk: queues that may go on, shadow sets to write, document sets to remove.

import type { Applied } from '../fold/chunk.ts';
import { drainGap } from '../queue/gap.ts';
import type { PartitionContext } from './context.ts';

/** Returns whether work follows the commit: then it is waited for. */
export function needsFollowUp({ gaps, shadowed, swept, counts }: Applied): boolean {
  return gaps.length > 0 || shadowed.length > 0 || swept || counts.parked > 0;
}

export async function followUp(
  context: PartitionContext,
  { gaps, shadowed, swept }: Applied,
): Promise<void> {
  for (const subject of gaps) await drainGap(context, subject);
  for (const subject of shadowed) context.shadowSets.start(subject);
  if (swept) context.shadowSets.sweep();
}
