// A producer loses one event and continues: thousands of events queue up behind the gap, and then it arrives.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import { randomHistory } from '../histories/history.ts';
import type { Random } from '../histories/random.ts';
import { activeCollections } from './active-collections.ts';
import type { Fault } from './fault.ts';
import { messageOf } from './traffic.ts';
import type { World } from './world.ts';

const QUEUED = 5000;
/** The factor for events of the space, which are left out. */
const SPACE_SHARE = 1.06;
const MISSING = 2;
/** Servers and processes may fail meanwhile, for minutes in a row. */
const QUEUED_MS_MAX = 600_000;
const HEALED_MS_MAX = 600_000;
const POLL_MS = 250;

export const QUEUE_FAULT: Fault = {
  name: `queue of ${QUEUED} events behind a gap`,
  weight: 0.3,
  of: 'queue',
  async run(world, random) {
    const { traffic, blame } = world;
    const subject = `queue-${random.below(1e9)}`;
    const events = longStream(world, subject, random);
    const [missing, ...others] = [...events.splice(MISSING - 1, 1), ...events] as [Message];
    traffic.inject(random.chance(0.5) ? others : random.some(others, others.length));
    const queued = others.length - (MISSING - 1);
    // An operator who gives the missing event up meanwhile ends the queue; the event comes all the same.
    const isQueued = (head: Seen) => head.held?.queued === queued || head.sequence >= MISSING;
    if (!(await reaches(world, { subject, msMax: QUEUED_MS_MAX }, isQueued))) {
      return blame(`${subject} has not queued ${queued} events`);
    }
    traffic.inject([missing]);
    const last = others.length + 1;
    // An operator may have given the missing event up: what needs it parks then, which the comparison at the end judges.
    const hasEnded = ({ held, sequence }: Seen) =>
      held === null ? sequence === last : held.why === 'parked';
    if (!(await reaches(world, { subject, msMax: HEALED_MS_MAX }, hasEnded))) {
      blame(`${subject} has not gone on after its gap`);
    }
  },
};

interface Seen {
  readonly sequence: number;
  readonly held: { readonly why: string; readonly queued: number } | null;
}

/** Returns the stream of one budget, in order, without a deletion, which would take effect even on a held stream. */
function longStream({ partitions }: World, subject: string, random: Random): Message[] {
  const events = Math.ceil(QUEUED * SPACE_SHARE);
  for (;;) {
    const seed = random.below(1e9);
    const sizes = { events, budgets: 1, spaces: 1, users: 1, wildNames: true };
    const history = randomHistory({ seed, ...sizes });
    if (history.some(({ event }) => event.type === 'budget.deleted')) continue;
    return history
      .filter(({ event }) => event.subject === 'budget-1')
      .map(({ event }) => {
        const own = { ...event, subject, id: `${subject}.${event.id}` };
        return messageOf(subject, own, partitions);
      });
  }
}

/** Returns false if the condition does not hold in time. */
async function reaches(
  { client }: World,
  { subject, msMax }: { readonly subject: string; readonly msMax: number },
  holds: (head: Seen) => boolean,
): Promise<boolean> {
  const find = async () => (await activeCollections(client)).heads.findOne({ _id: subject });
  for (const deadline = Date.now() + msMax; Date.now() < deadline; await sleep(POLL_MS)) {
    const head = await find().catch(() => null);
    if (head && holds({ ...head, held: head.held ?? null })) return true;
  }
  return false;
}
