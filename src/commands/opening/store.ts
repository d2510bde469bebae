// Opens the database, and what commands need of it, for one command, and closes it afterwards.
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { ACCESS_DATABASE, ensureAccessIndexes } from '../../access/connect.ts';
import { createSignInLinks, type SignInLinks } from '../../access/one-time-secrets.ts';
import { createTokenStore, type TokenStore } from '../../access/tokens.ts';
import { DamagedLogError, type EventLog, MissingLogError } from '../../event-log/event-log.ts';
import { damagedLog, UserError } from '../../process/errors.ts';
import { createLogger } from '../../process/log.ts';
import { stopSignal } from '../../process/stopping.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { lastProjected } from '../../store/last-projected.ts';
import type { VerifySource } from '../../verify/source.ts';
import type { Environment, Opening } from '../syntax/command.ts';
import { print, tryPrint } from '../terminal/print.ts';
import { ownGeneration } from './generation.ts';
import { type OpenLogOptions, openLog, openStore, storeParts } from './system.ts';

export interface StoreContext extends Environment {
  readonly connection: StoreConnection;
  /** Opens the event log, which the caller closes; a missing one is made only if the options say so. */
  readonly openLog: (options?: Partial<OpenLogOptions>) => Promise<EventLog>;
  /** The version of the projections in this program. */
  readonly version: number;
  readonly now: () => Date;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
}

export interface LogContext extends StoreContext {
  readonly eventLog: EventLog;
}

export interface AccessContext extends StoreContext {
  readonly tokens: TokenStore;
  readonly links: SignInLinks;
  /** Returns whether the line went out. */
  readonly tryPrint: (line: string) => Promise<boolean>;
}

export interface SourceContext extends LogContext {
  readonly source: VerifySource;
  readonly signal: AbortSignal;
}

/** A command gives up if no broker answers for this long. */
const WAIT_MS_MAX = 10_000;

export const withStore: Opening<StoreContext> = async (environment, run) => {
  const { config } = environment;
  const connection = await openStore(config);
  try {
    await run({
      ...environment,
      connection,
      async openLog(options) {
        const projected = await lastProjected(connection.readModel);
        const defaults = { projected, makes: false, waitMsMax: WAIT_MS_MAX };
        return openLog(config, createLogger('warn'), { ...defaults, ...options });
      },
      version: PROJECTIONS_VERSION,
      now: () => new Date(),
      print,
      isTerminal: process.stdout.isTTY === true,
    });
  } finally {
    await connection.close();
  }
};

export const withLog: Opening<LogContext> = (environment, run) =>
  withStore(environment, async context => {
    const eventLog = await context.openLog();
    await run({ ...context, eventLog }).finally(eventLog.close);
  });

export const withAccess: Opening<AccessContext> = (environment, run) =>
  withStore(environment, async context => {
    const database = context.connection.database(ACCESS_DATABASE);
    await ensureAccessIndexes(database);
    const tokens = createTokenStore(database);
    await run({ ...context, tokens, links: createSignInLinks(database), tryPrint });
  });

/** @throws UserError with exit code 3 when the log is gone or damaged */
export const withSource: Opening<SourceContext> = (environment, run) =>
  withLog(environment, async context => {
    const { connection, eventLog } = context;
    const { id: generation } = await ownGeneration(connection);
    const store = storeParts(connection, generation);
    const { signal } = stopSignal(() => {});
    const source = { database: connection.readModel, generation, store, eventLog };
    await run({ ...context, source, signal });
  }).catch(cause => {
    throw isLogLost(cause) ? damagedLog(cause.message, cause) : cause;
  });

/** Returns whether the log cannot be opened because it is gone or damaged. */
function isLogLost(error: unknown): error is UserError {
  if (!(error instanceof UserError)) return false;
  // A missing log from which nothing was projected is not lost: it is not created yet.
  const isGone = error.cause instanceof MissingLogError && error.message.startsWith('DATA_LOSS');
  return isGone || error instanceof DamagedLogError;
}
