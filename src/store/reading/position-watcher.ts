// Follows the positions of all streams with one change stream per process, no polling
// (rules/projecting.md#waiting-for-a-position): wakes requests that wait, and calls followers.
import type { Db } from 'mongodb';
import type { Logger } from '../../process/log.ts';
import { createSleeper, type Sleeper } from '../../process/waiting.ts';
import { createHeadStream, type HeadChangeEvent } from './head-stream.ts';

export interface PositionWatcher {
  /**
   * Calls `read` at once, unless the request has read already, and again whenever the stream `subject` may have reached `sequence`, until it returns a
   * value. Returns null when it does not within `waitMs`, or when the watcher stops. Rejects when its signal aborts.
   */
  waitFor<T>(request: WaitRequest, read: () => Promise<T | null>): Promise<T | null>;
  /**
   * Calls `follower` for each change of a head, and with null when changes may have been missed: once the change
   * stream is open, and after each of its breaks. Returns a function that ends this.
   */
  follow(follower: Follower): () => void;
  /** Ends every wait and closes the change stream. */
  stop(): Promise<void>;
}

export interface WaitRequest {
  readonly subject: string;
  readonly sequence: number;
  readonly waitMs: number;
  /** The user who has to reach the stream. */
  readonly owner: string;
  /** Returns the space of the stream, null while it is unknown. */
  readonly spaceId: () => string | null;
  /** The caller has just read, and found nothing. */
  readonly hasRead?: boolean;
  /** Ends the wait when it aborts. */
  readonly signal?: AbortSignal;
}

export type Follower = (change: HeadChangeEvent | null) => void;

interface Waiter extends WaitRequest {
  /** Wakes the request, or ends its next sleep at once. */
  wake(): void;
}

/** An unused change stream is closed after this time, because it costs the database work. */
const IDLE_MS = 30_000;

export function createPositionWatcher(
  db: Db,
  logger: Logger,
  { idleMs = IDLE_MS }: { readonly idleMs?: number } = {},
): PositionWatcher {
  const waiters = new Set<Waiter>();
  const followers = new Set<Follower>();
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  const stream = createHeadStream(db, logger, {
    isNeeded: () => !stopped && waiters.size + followers.size > 0,
    // Changes from before the stream began may have been missed.
    onOpen() {
      wakeAll(waiters);
      for (const follower of followers) follower(null);
    },
    onChange(change) {
      const isConcerned = concerning(change);
      for (const waiter of waiters) if (isConcerned(waiter)) waiter.wake();
      for (const follower of followers) follower(change);
    },
  });

  function closeWhenIdle(): void {
    if (waiters.size + followers.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => void stream.close(), idleMs).unref();
  }

  return {
    async waitFor(request, read) {
      const endsAtMs = performance.now() + request.waitMs;
      const found = request.hasRead ? null : await read();
      if (found !== null || request.waitMs === 0) return found;
      const sleeper = createSleeper(request.signal);
      const waiter = { ...request, wake: sleeper.wake };
      clearTimeout(idle);
      waiters.add(waiter);
      // A change may have come since its first read: read again, at once or as soon as the stream is open.
      if (stream.isOpen()) waiter.wake();
      stream.run();
      try {
        const msLeft = () => (stopped ? 0 : endsAtMs - performance.now());
        return await readAtEachWake({ ...request, sleeper, msLeft }, read);
      } finally {
        sleeper.dispose();
        waiters.delete(waiter);
        closeWhenIdle();
      }
    },
    follow(follower) {
      clearTimeout(idle);
      followers.add(follower);
      stream.run();
      return () => {
        followers.delete(follower);
        closeWhenIdle();
      };
    },
    async stop() {
      stopped = true;
      clearTimeout(idle);
      wakeAll(waiters);
      await stream.close();
    },
  };
}

interface Wait extends WaitRequest {
  readonly sleeper: Sleeper;
  readonly msLeft: () => number;
}

/** Returns the first value that `read` returns, null once it may not read any more. */
async function readAtEachWake<T>(
  { sleeper, msLeft, signal }: Wait,
  read: () => Promise<T | null>,
): Promise<T | null> {
  while (await sleeper.sleep(msLeft())) {
    signal?.throwIfAborted();
    const found = await read();
    if (found !== null) return found;
  }
  return null;
}

function wakeAll(waiters: ReadonlySet<Waiter>): void {
  for (const waiter of waiters) waiter.wake();
}

/**
 * Returns a function that returns whether a change wakes a request. So does a change of a space, if it may begin or end
 * the reach of the request's user.
 */
export function concerning(
  change: Pick<HeadChangeEvent, 'subject' | 'sequence' | 'isSpace' | 'members'>,
): (request: Pick<WaitRequest, 'subject' | 'sequence' | 'owner' | 'spaceId'>) => boolean {
  const { subject, sequence, isSpace } = change;
  if (!isSpace) {
    return awaited =>
      awaited.subject === subject && (sequence === null || sequence >= awaited.sequence);
  }
  // A set, since a space may have many members, and many requests may wait.
  const members = change.members && new Set(change.members);
  return ({ owner, spaceId }) => {
    const known = spaceId();
    return members === null || known === null || known === subject || members.has(owner);
  };
}
