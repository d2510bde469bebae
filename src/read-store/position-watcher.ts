// Follows the positions of all streams with one change stream per process, no polling (projections.md): wakes requests that
// wait, and calls followers.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeStream, Db, Document } from 'mongodb';
import { type Log, reasonOf } from '../log.ts';
import { activeGeneration } from './registry.ts';

export interface PositionWatcher {
  /**
   * Calls `read` at once, and again whenever the stream `subject` may have reached `sequence`, until it returns a
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
  /** Ends the wait when it aborts. */
  readonly signal?: AbortSignal;
}

export type Follower = (change: HeadChange | null) => void;

interface Waiter extends WaitRequest {
  /** Wakes the request, or ends its next sleep at once. */
  wake(): void;
}

/** A change event as the pipeline projects it. */
export interface HeadChange extends Document {
  readonly collection: string;
  readonly subject: string;
  readonly sequence: number | null;
  readonly isSpace: boolean;
  /** The space of a budget. */
  readonly spaceId: string | null;
  /** The members of a space. */
  readonly members: readonly string[] | null;
}

const RESTART_MS = 250;
/** An unused change stream is closed after this time, because it costs the database work. */
const IDLE_MS = 30_000;

export function createPositionWatcher(
  db: Db,
  log: Log,
  { idleMs = IDLE_MS }: { readonly idleMs?: number } = {},
): PositionWatcher {
  const waiters = new Set<Waiter>();
  const followers = new Set<Follower>();
  let stream: ChangeStream<Document, HeadChange> | null = null;
  let isRunning = false;
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  const isNeeded = () => !stopped && waiters.size + followers.size > 0;

  /** Reads one change stream after another while somebody needs it. A stream ends by an error, a switch or idleness. */
  async function run(): Promise<void> {
    isRunning = true;
    while (isNeeded()) {
      try {
        await follow();
      } catch (err) {
        if (!isNeeded()) break;
        log.warn({ reason: reasonOf(err) }, 'watch for positions lost, restarting');
        await sleep(RESTART_MS);
      }
    }
    isRunning = false;
  }

  async function follow(): Promise<void> {
    const { isStillActive, open } = await prepare(db);
    if (!isNeeded()) return;
    const opened = open();
    stream = opened;
    // Changes from before the stream began may have been missed.
    wakeAll(waiters);
    for (const follower of followers) follower(null);
    try {
      await tellChanges(opened, tell, isStillActive);
    } catch (err) {
      // close() makes the pending read fail too, perhaps after another request has begun to wait: that is no loss.
      if (stream === opened) throw err;
    } finally {
      await opened.close();
      stream = null;
    }
  }

  function tell(change: HeadChange): void {
    for (const waiter of waiters) if (concerns(change, waiter)) waiter.wake();
    for (const follower of followers) follower(change);
  }

  async function close(): Promise<void> {
    const closed = stream;
    stream = null;
    await closed?.close().catch(() => {});
  }

  function arrive(waiter: Waiter): void {
    clearTimeout(idle);
    waiters.add(waiter);
    // A change may have come since its first read: read again, at once or as soon as the stream is open.
    if (stream !== null) waiter.wake();
    if (!isRunning) void run();
  }

  function closeWhenIdle(): void {
    if (waiters.size + followers.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => void close(), idleMs).unref();
  }

  return {
    async waitFor(request, read) {
      const endsAtMs = performance.now() + request.waitMs;
      const found = await read();
      if (found !== null || request.waitMs === 0) return found;
      const sleeper = createSleeper(request.signal);
      const waiter = { ...request, wake: sleeper.wake };
      arrive(waiter);
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
      if (!isRunning) void run();
      return () => {
        followers.delete(follower);
        closeWhenIdle();
      };
    },
    async stop() {
      stopped = true;
      clearTimeout(idle);
      wakeAll(waiters);
      await close();
    },
  };
}

interface Wait extends WaitRequest {
  readonly sleeper: ReturnType<typeof createSleeper>;
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

/** Returns a function that opens a change stream from now on, and one that tests whether its generation is active. */
async function prepare(db: Db) {
  // First the time, then the generation: the stream tells of every switch after the generation was read.
  const { operationTime: startAtOperationTime } = await db.command({ ping: 1 });
  const generation = await activeGeneration(db);
  const open = () => db.watch<Document, HeadChange>(pipeline(generation), { startAtOperationTime });
  const isStillActive = async () => generation === (await activeGeneration(db));
  return { isStillActive, open };
}

/**
 * Returns when another generation becomes active. The first change of a stream may be the one that activated its own
 * generation, so the registry is read before the stream is given up. The next stream wakes everybody when it opens;
 * other changes of the registry concern nobody.
 */
async function tellChanges(
  stream: ChangeStream<Document, HeadChange>,
  tell: (change: HeadChange) => void,
  isStillActive: () => Promise<boolean>,
): Promise<void> {
  for await (const change of stream) {
    if (change.collection !== 'registry') tell(change);
    else if (!(await isStillActive())) return;
  }
}

/** Selects changes of heads, and of the registry, which names the active generation. */
function pipeline(generation: string | null): Document[] {
  const collections = generation === null ? ['registry'] : ['registry', `${generation}_heads`];
  const changed = (field: string) => ({
    $ifNull: [`$fullDocument.${field}`, `$updateDescription.updatedFields.${field}`, null],
  });
  return [
    { $match: { 'ns.coll': { $in: collections } } },
    {
      $project: {
        collection: '$ns.coll',
        subject: '$documentKey._id',
        sequence: changed('sequence'),
        isSpace: { $ne: [changed('space'), null] },
        spaceId: changed('budget.spaceId'),
        members: changed('space.members'),
      },
    },
  ];
}

/** Returns whether to wake a request. A change of a space counts too: it may let members reach a budget. */
export function concerns(
  change: Pick<HeadChange, 'subject' | 'sequence' | 'isSpace'>,
  { subject, sequence }: WaitRequest,
): boolean {
  if (change.isSpace) return true;
  return change.subject === subject && (change.sequence === null || change.sequence >= sequence);
}

/** Returns a sleep that can be ended from outside, by the signal too, even before it begins. */
function createSleeper(signal?: AbortSignal) {
  let woken = false;
  let end: (() => void) | undefined;
  const wake = () => {
    woken = true;
    end?.();
  };
  signal?.addEventListener('abort', wake);
  return {
    wake,
    /** Forgets the signal. */
    dispose: () => signal?.removeEventListener('abort', wake),
    /** Returns whether it was woken in time. */
    async sleep(ms: number): Promise<boolean> {
      if (!woken && ms > 0) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>(resolve => {
          end = resolve;
          timer = setTimeout(resolve, ms);
        });
        clearTimeout(timer);
        end = undefined;
      }
      const inTime = woken && ms > 0;
      woken = false;
      return inTime;
    },
  };
}
