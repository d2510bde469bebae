// What follows when an event joins the queue of a stream with a gap. Most such events do not fill it, and the queue may
// be long, so only its first entry is read.
import type { Head } from '../../../projections/documents.ts';
import { loadHead } from '../../store/heads.ts';
import { retried } from '../../store/retry.ts';
import { NO_WRITES } from '../../store/writing/commit.ts';
import { admit } from '../fold/gate.ts';
import { type DrainContext, drain } from './drain.ts';
import { firstEntries } from './entries.ts';

/** Drains the queue if its first event fills the gap. */
export async function drainGap(context: DrainContext, subject: string): Promise<void> {
  if (!(await retried(() => staysGap(context, subject), context))) await drain(context, subject);
}

/** Returns false when the queue may go on. */
async function staysGap({ store }: DrainContext, subject: string): Promise<boolean> {
  const head = await loadHead(store.collections.heads, subject);
  if (head?.held?.why !== 'gap') return true;
  const [first] = await firstEntries(store, subject, { eventsMax: 1 });
  if (!first) return false;
  const isSkipped = await store.decisions.load();
  const admission = admit({ ...head, held: null }, first.delivery, isSkipped);
  if (admission.kind !== 'wait' || admission.begins?.why !== 'gap') return false;
  // An event with a lower sequence than the others changes what is expected.
  const held = { ...head.held, reason: admission.begins.reason };
  const now: Head = { ...head, held };
  if (held.reason !== head.held.reason) {
    await store.session.commit({ ...NO_WRITES, heads: [{ loaded: head, now }] });
  }
  return true;
}
