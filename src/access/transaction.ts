// Runs one transaction on the database of access. A majority has it before it is confirmed, so no failover undoes it.
import type { ClientSession, Db, TransactionOptions } from 'mongodb';
import { DatabaseTimeoutError, withDeadline } from '../store/database-errors.ts';

const TRANSACTION: TransactionOptions = {
  readPreference: 'primary',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
};

/** Returns what `work` returns. Conflicts with other transactions run it again, until `timeoutMs` have passed. */
export async function inTransaction<T>(
  db: Db,
  timeoutMs: number,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs;
  // Nobody would learn of a change that is made after the deadline.
  const checkTime = () => {
    if (performance.now() > deadlineMs) throw new DatabaseTimeoutError('Too late');
  };
  const running = db.client.withSession(session =>
    session.withTransaction(
      async () => {
        checkTime();
        const result = await work(session);
        checkTime();
        return result;
      },
      { ...TRANSACTION, maxCommitTimeMS: Math.ceil(timeoutMs) },
    ),
  );
  return await withDeadline(timeoutMs, running);
}
