// What commands open: each of these hands it to a command, and closes it. Its code is loaded when a command runs.
import type { Opening } from '../syntax/command.ts';

function lazily<C>(load: () => Promise<Opening<C>>): Opening<C> {
  return async (...given) => (await load())(...given);
}

/** The configuration and the log of a process that runs until it is stopped. */
export const service = lazily(async () => (await import('./process.ts')).openService);

/** The same for a person's own machine. */
export const ownService = lazily(async () => (await import('./process.ts')).openOwnService);

/** The database. */
export const store = lazily(async () => (await import('./store.ts')).withStore);

/** The database and the event log, which is only read: a missing one is never made. */
export const eventLog = lazily(async () => (await import('./store.ts')).withLog);

/** The tokens and sign-in links. */
export const access = lazily(async () => (await import('./store.ts')).withAccess);

/** What is needed to fold the active generation's log again. */
export const source = lazily(async () => (await import('./store.ts')).withSource);

/** The event log to append to, unless the invocation changes nothing: then it is only read, beside its writer. */
export const target = lazily(async () => (await import('./target.ts')).withTarget);

/** All generations that projectors feed. */
export const parkedGenerations = lazily(
  async () => (await import('./parked-generations.ts')).withParkedGenerations,
);
