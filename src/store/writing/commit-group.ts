// Commits small chunks of several partitions together: while one transaction is under way, the next chunks wait, and share
// the one that follows. A transaction costs about a dozen commands, however few events it has. Each checkpoint is moved by
// a comparison of its own, so either all of the chunks are stored or none is, and each partition finds out by itself.
import type { DocumentKind } from '../../../projections/document-kinds.ts';
import { FencedError, StaleError } from '../database-errors.ts';
import { newlyParked } from '../parking-limit.ts';
import type { Writes } from '../write-commands.ts';
import { type CommitSession, type FoldWrites, NO_WRITES } from './commit.ts';

/** Chunks of one transaction: all together have at most 15,000 records, and change as many documents and heads. */
const CHUNKS_MAX = 50;
/**
 * Records of a chunk that joins others, and also the documents and heads that it changes: live traffic has fewer, and larger
 * chunks would delay them. What a chunk inserts is not counted, because it is encoded later; its records bound it.
 */
const CHANGES_MAX = 300;

export interface CommitGroup {
  readonly ids: CommitSession['ids'];
  /**
   * Commits a chunk.
   *
   * @param isAlone in a transaction of its own
   * @throws as the session does; StaleError where nobody can say which of the chunks was refused
   */
  commit(writes: FoldWrites, isAlone: boolean): Promise<void>;
}

interface Waiting {
  readonly writes: FoldWrites;
  readonly isAlone: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Returns a group that commits in this session, one transaction after another. */
export function createCommitGroup(session: CommitSession): CommitGroup {
  const waiting: Waiting[] = [];
  let isUnderWay = false;

  async function run(): Promise<void> {
    isUnderWay = true;
    while (waiting.length > 0) await commitAll(waiting.splice(0, nextSize(waiting)));
    isUnderWay = false;
  }

  async function commitAll(group: readonly Waiting[]): Promise<void> {
    try {
      await session.commit(together(group.map(({ writes }) => writes)));
      for (const { resolve } of group) resolve();
    } catch (error) {
      const isAnyones = group.length > 1 && error instanceof FencedError;
      const reason = isAnyones
        ? new StaleError(`One of these was refused: ${error.message}`)
        : error;
      for (const { reject } of group) reject(reason);
    }
  }

  return {
    ids: session.ids,
    commit: (writes, isAlone) =>
      new Promise((resolve, reject) => {
        waiting.push({ writes, isAlone, resolve, reject });
        if (!isUnderWay) void run();
      }),
  };
}

/** Returns how many of those that wait share the next transaction. */
function nextSize(waiting: readonly Waiting[]): number {
  if (waiting[0]?.isAlone) return 1;
  const before = waiting.findIndex(({ isAlone }) => isAlone);
  return Math.min(CHUNKS_MAX, before < 0 ? waiting.length : before);
}

/**
 * Returns a partition's session whose small chunks are committed in the group. After a failure the chunk is committed
 * alone, so that one partition cannot make others fail again and again, and in the session where it failed: that ends
 * a transaction whose abort got lost, and whose locks would refuse it.
 */
export function joined(own: CommitSession, group: CommitGroup): CommitSession {
  let failedIn: 'own' | 'group' | null = null;
  return {
    ids: [...own.ids, ...group.ids],
    async writePart(writes, isFirst) {
      try {
        await own.writePart(writes, isFirst);
      } catch (error) {
        failedIn = 'own';
        throw error;
      }
    },
    async abortParts() {
      // It reports no failure, so it may have got lost.
      failedIn = 'own';
      await own.abortParts();
    },
    async commit(writes, endsParts = false) {
      const isOwn = endsParts || (failedIn === null ? !mayJoin(writes) : failedIn === 'own');
      try {
        if (isOwn) await own.commit(writes, endsParts);
        else await group.commit(writes, failedIn !== null);
        failedIn = null;
      } catch (error) {
        failedIn = isOwn ? 'own' : 'group';
        throw error;
      }
    },
  };
}

/** Returns whether a chunk changes few documents and heads, and nothing else. */
function mayJoin({ checkpoints, heads, documents, ...others }: FoldWrites): boolean {
  const { waiting, done, erased, swept, quarantined, begunSets = [], shadowStep, also } = others;
  const lists: (readonly unknown[])[] = [waiting, done, erased, swept, quarantined, begunSets];
  if (checkpoints.length === 0 || shadowStep || also) return false;
  if (checkpoints.some(({ from, to }) => to - from > CHANGES_MAX)) return false;
  if (lists.some(list => list.length > 0) || newlyParked(heads).length > 0) return false;
  let changes = heads.length;
  for (const { updates, deletes } of documents.values()) changes += updates.length + deletes.length;
  return changes <= CHANGES_MAX;
}

function together(all: readonly FoldWrites[]): FoldWrites {
  const [first, ...others] = all;
  if (first && others.length === 0) return first;
  const documents = new Map<DocumentKind, Writes>();
  for (const kind of new Set(all.flatMap(one => [...one.documents.keys()]))) {
    const parts = all.flatMap(one => one.documents.get(kind) ?? []);
    documents.set(kind, {
      inserts: inTurn(parts),
      updates: parts.flatMap(({ updates }) => updates),
      deletes: parts.flatMap(({ deletes }) => deletes),
    });
  }
  const checkpoints = all.flatMap(one => one.checkpoints);
  return { ...NO_WRITES, checkpoints, heads: all.flatMap(({ heads }) => heads), documents };
}

function inTurn(parts: readonly Writes[]): Writes['inserts'] {
  return {
    *[Symbol.iterator]() {
      for (const { inserts } of parts) yield* inserts;
    },
  };
}
