// Wires the commands of operators to the stores and the log that the configuration names.
import { PROJECTIONS_VERSION } from '../../projections/project.ts';
import { ACCESS_DATABASE, ensureAccessIndexes } from '../access/connect.ts';
import { createSignInLinks } from '../access/sign-in-links.ts';
import { createTokenStore } from '../access/tokens.ts';
import type { Config } from '../config.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { createLog } from '../log.ts';
import { fedOf } from '../projector/generations/plan.ts';
import { DOCUMENTS_MAX } from '../projector/projector.ts';
import { rebuildStream } from '../projector/rebuild-stream.ts';
import { systemStatus } from '../projector/system-status.ts';
import { generationCollections } from '../read-store/collections.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { readRegistry } from '../read-store/registry.ts';
import { stopSignal } from '../stopping.ts';
import { runAbandon } from './abandon.ts';
import { type AppendTarget, runAppend } from './append.ts';
import { currentGeneration, noReadModel, ownGeneration } from './generations.ts';
import { runParked } from './parked.ts';
import { print } from './print.ts';
import { parseRebuild, type RebuildContext, runRebuild, runRollback } from './rebuild.ts';
import { runSignIn } from './sign-in.ts';
import { runStatus } from './status.ts';
import { openLog, openStore, operatorStore, originOf, storeParts } from './system.ts';
import { runToken } from './token.ts';
import { runVerify } from './verify.ts';

/** How long a command waits for brokers. */
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

function withLog(
  config: Config,
  writer: boolean,
  run: (connection: StoreConnection, log: EventLog) => Promise<void>,
): Promise<void> {
  return withStore(config, async connection => {
    const log = await openLog(config, createLog('warn'), { writer, waitMsMax: WAIT_MS_MAX });
    try {
      await run(connection, log);
    } finally {
      await log.close();
    }
  });
}

export function append(args: string[], config: Config): Promise<void> {
  return withLog(config, true, async (connection, log) => {
    const target = await appendTarget(connection, log);
    await runAppend(args, { ...target, stdin: process.stdin, print });
  });
}

export function importBudget(args: string[], config: Config): Promise<void> {
  return withLog(config, true, async (connection, log) => {
    // Its libraries are for people's files alone.
    const { runImport } = await import('./import.ts');
    await runImport(args, { ...(await appendTarget(connection, log)), now, print });
  });
}

async function appendTarget(connection: StoreConnection, log: EventLog): Promise<AppendTarget> {
  const { id } = await currentGeneration(connection);
  return { log, collections: generationCollections(connection.readModel, id) };
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
  return withLog(config, false, async (connection, log) => {
    const { id: generation } = await ownGeneration(connection);
    const store = storeParts(connection, generation);
    const { signal } = stopSignal(() => {});
    const source = { database: connection.readModel, generation, store, log };
    const isTerminal = process.stdout.isTTY === true;
    await runVerify(args, { source, now, signal, print, isTerminal });
  });
}

export async function rebuild(args: string[], config: Config): Promise<void> {
  const request = parseRebuild(args);
  if (request.abandon) {
    return withStore(config, connection => runAbandon({ connection, now, print }));
  }
  return withLog(config, false, (connection, log) =>
    runRebuild(request, rebuildContext(connection, log)),
  );
}

export function rollback(args: string[], config: Config): Promise<void> {
  return withStore(config, connection => runRollback(args, { connection, now, print }));
}

function rebuildContext(connection: StoreConnection, log: EventLog): RebuildContext {
  const { signal } = stopSignal(() => {});
  const rebuildBudget: RebuildContext['rebuildBudget'] = async (budget, begun) => {
    const { id } = await ownGeneration(connection);
    begun();
    const store = operatorStore(connection, id);
    return rebuildStream(store, log, budget, { documentsMax: DOCUMENTS_MAX }, now(), signal);
  };
  const isTerminal = process.stdout.isTTY === true;
  const version = PROJECTIONS_VERSION;
  return { connection, log, now, print, signal, isTerminal, version, rebuildBudget };
}

export function status(args: string[], config: Config): Promise<void> {
  return withLog(config, false, (connection, log) => {
    const collectionsOf = (id: string) => generationCollections(connection.readModel, id);
    const read = async () =>
      systemStatus(await readRegistry(connection.readModel), log, collectionsOf, now());
    return runStatus(args, { status: read, print });
  });
}
