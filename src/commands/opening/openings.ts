// What commands open: each of these hands it to a command, and closes it. Its code is loaded when a command runs.
import type { Opening } from '../syntax/command.ts';
import type { ParkedContext } from './parked-generations.ts';
import type { ProcessContext } from './process.ts';
import type { AccessContext, LogContext, SourceContext, StoreContext } from './store.ts';
import type { TargetContext } from './target.ts';

/** The configuration and the log of a process that runs until it is stopped. */
export const service: Opening<ProcessContext> = async (...given) =>
  (await import('./process.ts')).openService(...given);

/** The same for a person's own machine. */
export const ownService: Opening<ProcessContext> = async (...given) =>
  (await import('./process.ts')).openOwnService(...given);

/** The database. */
export const store: Opening<StoreContext> = async (...given) =>
  (await import('./store.ts')).withStore(...given);

/** The database and the event log, which is only read: a missing one is never made. */
export const eventLog: Opening<LogContext> = async (...given) =>
  (await import('./store.ts')).withLog(...given);

/** The tokens and sign-in links. */
export const access: Opening<AccessContext> = async (...given) =>
  (await import('./store.ts')).withAccess(...given);

/** What is needed to fold the active generation's log again. */
export const source: Opening<SourceContext> = async (...given) =>
  (await import('./store.ts')).withSource(...given);

/** The event log to append to, unless the invocation changes nothing: then it is only read, beside its writer. */
export const target: Opening<TargetContext> = async (...given) =>
  (await import('./target.ts')).withTarget(...given);

/** All generations that projectors feed. */
export const parkedGenerations: Opening<ParkedContext> = async (...given) =>
  (await import('./parked-generations.ts')).withParkedGenerations(...given);
