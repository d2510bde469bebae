// Server sessions in which commands and switches write. A process that is killed in the middle of a transaction leaves it
// open, and MongoDB ends it, with its locks, a minute later at the earliest. Those of a projector are in its checkpoints; others
// are named here first, and the process that meets a lock too long ends them. A transaction may end at any time, so a process
// that lives begins its own again.
import type { Binary, ClientSession, Db } from 'mongodb';
import { isCode } from '../database-errors.ts';

interface OpenSession {
  _id: Binary;
  at: Date;
}

/** Conflicts in a row, after some two seconds: no transaction that goes on takes so long. */
const CONFLICTS_MAX = 6;
const WRITE_CONFLICT = 112;
/** No command lasts longer. */
const KEPT_MS = 86_400_000;

function openSessions(db: Db) {
  return db.collection<OpenSession>('open_sessions');
}

/** Names a session, before its first transaction. */
export async function nameSession(db: Db, session: ClientSession): Promise<void> {
  const named = [{ $set: { at: '$$NOW' } }];
  await openSessions(db).updateOne({ _id: session.id?.id as Binary }, named, { upsert: true });
}

/** The same for a command, which forgets its session never, but those of commands long before it. */
export async function nameCommand(db: Db, session: ClientSession): Promise<void> {
  await nameSession(db, session);
  const isOver = { $lt: ['$at', { $subtract: ['$$NOW', KEPT_MS] }] };
  await openSessions(db).deleteMany({ $expr: isOver });
}

export async function forgetSession(db: Db, session: ClientSession): Promise<void> {
  await openSessions(db).deleteOne({ _id: session.id?.id as Binary });
}

/** Ends the transactions of all named sessions, after so many conflicts with what they may have locked. */
export async function endLockers(
  { db }: { readonly db: Db },
  { failures, error }: { readonly failures: number; readonly error: unknown },
): Promise<void> {
  if (failures >= CONFLICTS_MAX && isCode(error, WRITE_CONFLICT)) await endNamed(db);
}

/** Ends the transactions of all named sessions. What it cannot end ends by itself. */
export async function endNamed(db: Db): Promise<void> {
  await endAll(db).catch(() => {});
}

async function endAll(db: Db): Promise<void> {
  const ids = (await openSessions(db).find().toArray()).map(({ _id }) => _id);
  await endSessions(db, ids);
  await openSessions(db).deleteMany({ _id: { $in: ids } });
}

/** Ends sessions of the server, and their transactions. */
export async function endSessions(db: Db, ids: readonly Binary[]): Promise<void> {
  // Without ids the command would end all sessions of the server.
  if (ids.length === 0) return;
  await db.client.db('admin').command({ killSessions: ids.map(id => ({ id })) });
}
