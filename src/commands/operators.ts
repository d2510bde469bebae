// Opens the stores and the event log that an operator's command needs, runs the command, and closes them.
import { PROJECTIONS_VERSION } from '../../projections/project.ts';
import { ACCESS_DATABASE, ensureAccessIndexes } from '../access/connect.ts';
import { createSignInLinks } from '../access/sign-in-links.ts';
import { createTokenStore } from '../access/tokens.ts';
import type { Config } from '../config.ts';
import { UserError } from '../errors.ts';
import { DamagedLogError } from '../event-log/damaged-log-error.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { MissingLogError } from '../event-log/missing-log.ts';
import { createLog } from '../log.ts';
import { fedOf } from '../projector/generations/plan.ts';
import { DOCUMENTS_MAX } from '../projector/projector.ts';
import { rebuildStream } from '../projector/shadow/rebuild-stream.ts';
import { systemStatus } from '../projector/system-status.ts';
import { type GenerationCollections, generationCollections } from '../read-store/collections.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { lastProjected } from '../read-store/last-projected.ts';
import { readRegistry } from '../read-store/registry.ts';
import { stopSignal } from '../stopping.ts';
import { runAbandon } from './abandon.ts';
import { type AppendTarget, runAppend } from './append.ts';
import { checkBeforeAppend, checkDataLoss } from './check-data-loss.ts';
import { currentGeneration, noReadModel, ownGeneration } from './generations.ts';
import { runParked } from './parked.ts';
import { print } from './print.ts';
import { parseRebuild, type RebuildContext, runRebuild, runRollback } from './rebuild.ts';
import { runSignIn } from './sign-in.ts';
import { runStatus } from './status.ts';
import {
  type OpenLogOptions,
  openLog,
  openStore,
  operatorStore,
  originOf,
  storeParts,
} from './system.ts';
import { runToken } from './token.ts';
import { damagedLog, runVerify } from './verify.ts';

/** A command gives up if no broker answers for this long. */
const WAIT_MS_MAX = 10_000;

const now = () => new Date();

async function withStore(
  config: Config,
  run: (connection: StoreConnection) => Promise<void>,
): Promise<void> {
  const connection = await openStore(config);
  try {
    await run(connection);
  } finally {
    await connection.close();
  }
}

type WithLog = (connection: StoreConnection, eventLog: EventLog) => Promise<void>;

/** Opens the log for a command that only reads; a missing log is never created. */
function withLog(config: Config, run: WithLog): Promise<void> {
  return withStore(config, async connection => {
    const eventLog = await openFor(connection, config, {});
    await run(connection, eventLog).finally(eventLog.close);
  });
}

/** Opens the log for a command that appends: data loss is checked first, and other writers are locked out. */
function withTarget(config: Config, run: (target: AppendTarget) => Promise<void>): Promise<void> {
  return withStore(config, async connection => {
    const { id } = await currentGeneration(connection);
    const eventLog = await openFor(connection, config, { writer: true, makes: true });
    const check = async () => checkDataLoss(eventLog, await generationsToCheck(connection));
    try {
      await check();
      const collections = generationCollections(connection.readModel, id);
      await run({ eventLog: checkBeforeAppend(eventLog, check), collections });
    } finally {
      await eventLog.close();
    }
  });
}

async function openFor(
  connection: StoreConnection,
  config: Config,
  options: Partial<OpenLogOptions>,
): Promise<EventLog> {
  const projected = await lastProjected(connection.readModel);
  const defaults = { projected, makes: false, waitMsMax: WAIT_MS_MAX };
  return openLog(config, createLog('warn'), { ...defaults, ...options });
}

/** Returns the generations whose checkpoints the log must match: the active one and the builds, else the newest. */
async function generationsToCheck({
  readModel,
}: StoreConnection): Promise<GenerationCollections[]> {
  const { active, generations } = await readRegistry(readModel);
  const builds = generations.filter(({ state }) => state === 'building' || state === 'verifying');
  const current = [...generations.filter(({ id }) => id === active), ...builds];
  const ids = (current.length > 0 ? current : generations.slice(-1)).map(({ id }) => id);
  return ids.map(id => generationCollections(readModel, id));
}

export function append(args: string[], config: Config): Promise<void> {
  return withTarget(config, target => runAppend(args, { ...target, stdin: process.stdin, print }));
}

export function importBudget(args: string[], config: Config): Promise<void> {
  return withTarget(config, async target => {
    // Only this command needs the parsers for CSV and SQLite, so it alone loads them.
    const { runImport } = await import('./import.ts');
    await runImport(args, { ...target, now, print });
  });
}

export function token(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const access = connection.database(ACCESS_DATABASE);
    await ensureAccessIndexes(access);
    await runToken(args, { tokens: createTokenStore(access), now, print });
  });
}

export function signIn(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const access = connection.database(ACCESS_DATABASE);
    await ensureAccessIndexes(access);
    const links = createSignInLinks(access);
    const origin = await originOf(config);
    const issuer = config.oidc === null ? null : new URL(config.oidc.issuer).host;
    await runSignIn(args, { links, origin, issuer, now, print });
  });
}

export function parked(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const { active, generations } = await readRegistry(connection.readModel);
    const fed = fedOf(generations).map(({ id, version }) => {
      const store = operatorStore(connection, id);
      return { id, version, answers: id === active, store };
    });
    if (fed.length === 0) throw noReadModel();
    fed.sort((a, b) => Number(b.answers) - Number(a.answers));
    await runParked(args, { generations: fed, version: PROJECTIONS_VERSION, now, print });
  });
}

export function verify(args: string[], config: Config): Promise<void> {
  const run: WithLog = async (connection, eventLog) => {
    const { id: generation } = await ownGeneration(connection);
    const store = storeParts(connection, generation);
    const { signal } = stopSignal(() => {});
    const source = { database: connection.readModel, generation, store, eventLog };
    const isTerminal = process.stdout.isTTY === true;
    await runVerify(args, { source, now, signal, print, isTerminal });
  };
  return withLog(config, run).catch(error => {
    throw isLogLost(error) ? damagedLog(error) : error;
  });
}

/** Returns whether the log cannot be opened because it is gone or damaged. */
function isLogLost(error: unknown): error is UserError {
  if (!(error instanceof UserError)) return false;
  // A missing log from which nothing was projected is not lost: it is not created yet.
  const isGone = error.cause instanceof MissingLogError && error.message.startsWith('DATA_LOSS');
  return isGone || error instanceof DamagedLogError;
}

export async function rebuild(args: string[], config: Config): Promise<void> {
  const request = parseRebuild(args);
  if (request.abandon) {
    return withStore(config, connection => runAbandon({ connection, now, print }));
  }
  return withLog(config, (connection, eventLog) =>
    runRebuild(request, rebuildContext(connection, eventLog)),
  );
}

export function rollback(args: string[], config: Config): Promise<void> {
  return withStore(config, connection => runRollback(args, { connection, now, print }));
}

function rebuildContext(connection: StoreConnection, eventLog: EventLog): RebuildContext {
  const { signal } = stopSignal(() => {});
  const rebuildBudget: RebuildContext['rebuildBudget'] = async (budget, begun) => {
    const { id } = await ownGeneration(connection);
    begun();
    const store = operatorStore(connection, id);
    const limits = { documentsMax: DOCUMENTS_MAX };
    return rebuildStream(store, budget, { eventLog, limits, now: now(), signal });
  };
  const isTerminal = process.stdout.isTTY === true;
  const version = PROJECTIONS_VERSION;
  return { connection, eventLog, now, print, signal, isTerminal, version, rebuildBudget };
}

export function status(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const of = (eventLog: EventLog | null) => systemStatus(connection.readModel, eventLog, now());
    const read = async () => {
      const eventLog = await openFor(connection, config, {});
      return of(eventLog).finally(eventLog.close);
    };
    await runStatus(args, { status: read, stored: () => of(null), print });
  });
}
