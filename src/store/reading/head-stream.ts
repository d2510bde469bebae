// The change stream of the heads of the active generation, opened again after each break and each switch.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeStream, Db, Document } from 'mongodb';
import { reasonOf } from '../../process/describe-error.ts';
import type { Logger } from '../../process/log.ts';
import { activeGeneration } from '../registry.ts';

/** A change event as the pipeline projects it. */
export interface HeadChangeEvent extends Document {
  readonly collection: string;
  readonly subject: string;
  readonly sequence: number | null;
  readonly isSpace: boolean;
  /** The space of a budget. */
  readonly spaceId: string | null;
  /** The members of a space. */
  readonly members: readonly string[] | null;
}

export interface HeadStream {
  /** Begins to read, unless it does already. */
  run(): void;
  isOpen(): boolean;
  close(): Promise<void>;
}

export interface HeadStreamOptions {
  /** Whether to go on after an end: an error, a switch or a close. */
  readonly isNeeded: () => boolean;
  /** Called each time when the stream is open. */
  readonly onOpen: () => void;
  readonly onChange: (change: HeadChangeEvent) => void;
}

const RESTART_MS = 250;

export function createHeadStream(db: Db, logger: Logger, options: HeadStreamOptions): HeadStream {
  const { isNeeded, onOpen, onChange } = options;
  let stream: ChangeStream<Document, HeadChangeEvent> | null = null;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (isNeeded()) {
      try {
        await follow();
      } catch (err) {
        if (!isNeeded()) break;
        logger.warn({ reason: reasonOf(err) }, 'watch for positions lost, restarting');
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
    onOpen();
    try {
      await reportChanges(opened, onChange, isStillActive);
    } catch (err) {
      // close() makes the pending read fail too, perhaps after another request has begun to wait: that is no loss.
      if (stream === opened) throw err;
    } finally {
      await opened.close();
      stream = null;
    }
  }

  return {
    run() {
      if (!isRunning) void run();
    },
    isOpen: () => stream !== null,
    async close() {
      const closed = stream;
      stream = null;
      await closed?.close().catch(() => {});
    },
  };
}

const MAJORITY_READ = {
  find: 'registry',
  filter: { _id: 'registry' },
  limit: 1,
  readConcern: { level: 'majority' },
} as const;

/** Returns a function that opens a change stream from now on, and one that tests whether its generation is active. */
async function prepare(db: Db) {
  // First the time, then the generation: the stream reports every switch after the generation was read. The time is that of
  // what a majority has, as readers see it. A ping answers with what is applied: the stream would leave out a commit between
  // the two, and so would the reading as it opens.
  const { operationTime: startAtOperationTime } = await db.command(MAJORITY_READ);
  const generation = await activeGeneration(db);
  const open = () =>
    db.watch<Document, HeadChangeEvent>(pipeline(generation), { startAtOperationTime });
  const isStillActive = async () => generation === (await activeGeneration(db));
  return { isStillActive, open };
}

/**
 * Returns when another generation becomes active. The first change of a stream may be the one that activated its own
 * generation, so the registry is read before the stream is given up. The next stream wakes everybody when it opens;
 * other changes of the registry concern nobody.
 */
async function reportChanges(
  stream: ChangeStream<Document, HeadChangeEvent>,
  report: (change: HeadChangeEvent) => void,
  isStillActive: () => Promise<boolean>,
): Promise<void> {
  for await (const change of stream) {
    if (change.collection !== 'registry') report(change);
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
