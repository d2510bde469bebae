// A transaction as the projector's side writes it: what a majority has, and an unknown result is asked for again.
import { type ClientSession, type Db, MongoError, type TransactionOptions } from 'mongodb';
import { whileNamed } from '../open-sessions.ts';

export const TRANSACTION: TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  maxCommitTimeMS: 30_000,
};

/** Runs writes as one transaction, in a session of its own. */
export async function inSession(
  db: Db,
  writes: (session: ClientSession) => Promise<void>,
): Promise<void> {
  await db.client.withSession(session =>
    whileNamed(db, session, async () => {
      session.startTransaction(TRANSACTION);
      await committed(session, () => writes(session));
    }),
  );
}

/** Commits the open transaction after these writes, or aborts it. */
export async function committed(
  session: ClientSession,
  writes: () => Promise<void>,
): Promise<void> {
  await orAbort(session, async () => {
    await writes();
    await commitWithRetry(session);
  });
}

// A commit with an error may still have taken place. The caller's next compare-and-set finds out: a repeated fold finds
// the checkpoint or the head moved.
export async function orAbort(session: ClientSession, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await abort(session);
    throw error;
  }
}

export async function abort(session: ClientSession): Promise<void> {
  if (session.inTransaction()) await session.abortTransaction().catch(() => {});
}

// The driver retries a commit once. After an unknown result it is safe to commit again, so it is tried three times.
async function commitWithRetry(session: ClientSession): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      const unknown =
        error instanceof MongoError && error.hasErrorLabel('UnknownTransactionCommitResult');
      if (!unknown || attempt === 3) throw error;
    }
  }
}
