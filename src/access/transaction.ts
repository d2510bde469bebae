// Runs one transaction on the database of access. A majority has it before it is confirmed, so no failover undoes it.
import type { ClientSession, Db, TransactionOptions } from 'mongodb';
import { DatabaseTimeoutError, withDeadline } from '../store/database-errors.ts';
import { endingLockers, whileNamed } from '../store/open-sessions.ts';

const TRANSACTION: TransactionOptions = {
  readPreference: 'primary',
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
};

/**
 * Returns what `work` returns. Conflicts with other transactions run it again, until `timeoutMs` have passed; one that a
 * killed process left open is ended meanwhile.
 */
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
  const attempt = async (session: ClientSession) => {
    checkTime();
    const result = await work(session);
    checkTime();
    return result;
  };
  const options = { ...TRANSACTION, maxCommitTimeMS: Math.ceil(timeoutMs) };
  const running = db.client.withSession(session =>
    whileNamed(db, session, () => session.withTransaction(attempt, options)),
  );
  return await withDeadline(timeoutMs, endingLockers(db, running));
}
