// Wakes requests that wait for a budget's position: one change stream a process, and no polling (projections.md).
import type { ChangeStream, Db, Document } from 'mongodb';
import type { Log } from '../log.ts';
import { activeGeneration } from './registry.ts';

export interface PositionWatcher {
  /**
   * Calls `look` at once, and again at each sign that the stream `subject` may have reached `sequence`,
   * until it returns something. Null when that did not happen within `waitMs`, or the watcher stopped.
   */
  waitFor<T>(request: WaitRequest, look: () => Promise<T | null>): Promise<T | null>;
  /** Ends all waiting. */
  stop(): Promise<void>;
}

export interface WaitRequest {
  readonly subject: string;
  readonly sequence: number;
  readonly waitMs: number;
}

interface Waiter extends WaitRequest {
  /** Wakes it, or lets its next sleep end at once. */
  wake(): void;
}

/** What is left of a change event by the pipeline. */
interface HeadChange extends Document {
  readonly collection: string;
  readonly subject: string;
  readonly sequence: number | null;
  readonly isSpace: boolean;
}

const RESTART_MS = 250;
/** A stream that nobody needs is closed after a while: it costs the database work. */
const IDLE_MS = 30_000;

export function createPositionWatcher(
  db: Db,
  log: Log,
  { idleMs = IDLE_MS }: { readonly idleMs?: number } = {},
): PositionWatcher {
  const waiters = new Set<Waiter>();
  let stream: ChangeStream<Document, HeadChange> | null = null;
  let isRunning = false;
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  const isNeeded = () => !stopped && waiters.size > 0;

  /** One stream after the other, until nobody waits: each ends by an error, a new generation or idleness. */
  async function run(): Promise<void> {
    isRunning = true;
    while (isNeeded()) {
      try {
        await follow();
      } catch (err) {
        if (!isNeeded()) break;
        log.warn({ err }, 'watch for positions lost, restarting');
        await new Promise(resolve => setTimeout(resolve, RESTART_MS));
      }
    }
    isRunning = false;
  }

  async function follow(): Promise<void> {
    const { generation, open } = await beginning(db);
    if (!isNeeded()) return;
    const opened = open();
    stream = opened;
    // What happened before it began was perhaps not seen by anyone.
    wakeAll(waiters);
    try {
      await wakeByChanges(opened, waiters, async () => generation === (await activeGeneration(db)));
    } catch (err) {
      // What was closed here was not lost, though its pending read fails, perhaps after somebody waits again.
      if (stream === opened) throw err;
    } finally {
      await opened.close();
      stream = null;
    }
  }

  async function close(): Promise<void> {
    const closed = stream;
    stream = null;
    await closed?.close().catch(() => {});
  }

  function arrive(waiter: Waiter): void {
    clearTimeout(idle);
    waiters.add(waiter);
    // It looked before it was known here: one more look, at once or as soon as the stream is open.
    if (stream !== null) waiter.wake();
    if (!isRunning) void run();
  }

  function leave(waiter: Waiter): void {
    waiters.delete(waiter);
    if (waiters.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => void close(), idleMs).unref();
  }

  return {
    async waitFor(request, look) {
      const endsAtMs = performance.now() + request.waitMs;
      const found = await look();
      if (found !== null || request.waitMs === 0) return found;
      const sleeper = createSleeper();
      const waiter = { ...request, wake: sleeper.wake };
      arrive(waiter);
      try {
        while (!stopped && (await sleeper.sleep(endsAtMs - performance.now()))) {
          const later = await look();
          if (later !== null) return later;
        }
        return null;
      } finally {
        leave(waiter);
      }
    },
    async stop() {
      stopped = true;
      clearTimeout(idle);
      wakeAll(waiters);
      await close();
    },
  };
}

function wakeAll(waiters: ReadonlySet<Waiter>): void {
  for (const waiter of waiters) waiter.wake();
}

/** The generation that answers, and what opens a stream of all that follows. */
async function beginning(db: Db) {
  const generation = await activeGeneration(db);
  const { operationTime: startAtOperationTime } = await db.command({ ping: 1 });
  const open = () => db.watch<Document, HeadChange>(pipeline(generation), { startAtOperationTime });
  return { generation, open };
}

/**
 * Ends when another generation answers. A stream may begin with the very change that named its generation: that is no
 * reason to begin again.
 */
async function wakeByChanges(
  stream: ChangeStream<Document, HeadChange>,
  waiters: ReadonlySet<Waiter>,
  goesOn: () => Promise<boolean>,
): Promise<void> {
  for await (const change of stream) {
    if (change.collection === 'registry') {
      wakeAll(waiters);
      if (!(await goesOn())) return;
      continue;
    }
    for (const waiter of waiters) if (concerns(change, waiter)) waiter.wake();
  }
}

/** Changes of heads, and of the registry, which names another generation. */
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
      },
    },
  ];
}

/** A change of a space may let its members reach a budget. */
function concerns(change: HeadChange, { subject, sequence }: WaitRequest): boolean {
  if (change.isSpace) return true;
  return change.subject === subject && (change.sequence === null || change.sequence >= sequence);
}

/** A sleep that can be ended from outside, also before it began. */
function createSleeper() {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      end?.();
    },
    /** Whether it was woken in time. */
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
