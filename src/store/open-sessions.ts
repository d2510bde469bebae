// Server sessions in which commands and switches write. A process that is killed in the middle of a transaction leaves it
// open, and MongoDB ends it, with its locks, a minute later at the earliest. Those of a projector are in its checkpoints;
// others are named here while their transaction is open, and renew their name as long as their process lives. The process
// that meets a lock too long ends the transactions of silent ones.
import type { Binary, ClientSession, Db } from 'mongodb';
import { isCode } from './database-errors.ts';

interface OpenSession {
  _id: Binary;
  /** When its process was alive, by the database's clock. */
  at: Date;
}

const RENEWAL_MS = 500;
/** The process of a name that is older was killed, or stands still: if it goes on, it begins its transaction again. */
const SILENT_MS = 3000;
/** Conflicts in a row, after some two seconds, before silent sessions are looked for. */
const CONFLICTS_MAX = 6;
const WRITE_CONFLICT = 112;
/** Of a write with a limit: it has waited for as long. */
const MAX_TIME_EXPIRED = 50;
/** The same for a write that waits. */
const WAIT_MS = 2000;

/** Not for a majority: no open transaction outlives its primary, and a wait for it would be added to that of the commit. */
function openSessions(db: Db) {
  return db.collection<OpenSession>('open_sessions', { writeConcern: { w: 1 } });
}

/** Runs a transaction in a session that is named meanwhile. */
export async function whileNamed<T>(
  db: Db,
  session: ClientSession,
  transaction: () => Promise<T>,
): Promise<T> {
  const own = { _id: session.id?.id as Binary };
  const name = (upsert: boolean) =>
    openSessions(db).updateOne(own, [{ $set: { at: '$$NOW' } }], { upsert });
  await name(true);
  const renewal = setInterval(() => void name(false).catch(() => {}), RENEWAL_MS);
  try {
    return await transaction();
  } finally {
    clearInterval(renewal);
    // The session may go back to the driver's pool, where other operations use it.
    await openSessions(db)
      .deleteOne(own)
      .catch(() => {});
  }
}

/** Ends the transactions of silent sessions, after so many conflicts with what they may have locked, or a wait for it. */
export async function endLockers(
  { db }: { readonly db: Db },
  { failures, error }: { readonly failures: number; readonly error: unknown },
): Promise<void> {
  const isConflict = failures >= CONFLICTS_MAX && isCode(error, WRITE_CONFLICT);
  if (isConflict || isCode(error, MAX_TIME_EXPIRED)) await endSilent(db);
}

/** The same during a write that is no transaction: it waits for a lock as long as that is held. */
export async function endingLockers<T>(db: Db, write: Promise<T>): Promise<T> {
  const ending = setInterval(() => void endSilent(db), WAIT_MS);
  try {
    return await write;
  } finally {
    clearInterval(ending);
  }
}

/** Ends the transactions of silent sessions. What it cannot end ends by itself. */
export async function endSilent(db: Db): Promise<void> {
  await endAll(db).catch(() => {});
}

async function endAll(db: Db): Promise<void> {
  const isSilent = { $expr: { $lt: ['$at', { $subtract: ['$$NOW', SILENT_MS] }] } };
  const ids = (await openSessions(db).find(isSilent).toArray()).map(({ _id }) => _id);
  // One by one: MongoDB refuses a list with an id that is none as a whole.
  await Promise.allSettled(ids.map(id => endSessions(db, [id])));
  await openSessions(db).deleteMany({ _id: { $in: ids } });
}

/** Ends sessions of the server, and their transactions. MongoDB ends those of the same user alone, and says nothing of others. */
export async function endSessions(db: Db, ids: readonly Binary[]): Promise<void> {
  // Without ids the command would end all sessions of the server.
  if (ids.length === 0) return;
  await db.client.db('admin').command({ killSessions: ids.map(id => ({ id })) });
}
