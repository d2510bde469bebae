// What every command works on: the stores and the log, from the configuration or from a running embedded system.

import { ACCESS_DATABASE } from '../access/connect.ts';
import { createDecisionLog } from '../access/decisions.ts';
import type { Config } from '../config.ts';
import { delay } from '../delay.ts';
import { readEndpoint } from '../embedded/data-folder.ts';
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { openFolderLog } from '../event-log/folder/folder-log.ts';
import { MissingLogError } from '../event-log/missing-log.ts';
import type { Log } from '../log.ts';
import type { ProjectorStore, StoreParts } from '../projector/store.ts';
import { generationCollections } from '../read-store/collections.ts';
import { openCommitSession } from '../read-store/commit.ts';
import { connectStore, StoreAwayError, type StoreConnection } from '../read-store/connect.ts';
import { type LastProjected, lastProjected } from '../read-store/last-projected.ts';
import { retried } from '../read-store/retry.ts';

/** How long a command waits for a database. */
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 1000;

export interface Place {
  readonly mongodbUrl: string;
  readonly logFolder: string;
}

/** Where the databases and the log are: configured, or those of the system that runs on DATA_DIR. */
export async function locate(config: Config): Promise<Place> {
  const endpoint = await readEndpoint(config.dataDir).catch(error => {
    // With a database of its own a process may have no data folder at all.
    if (config.mongodbUrl === null) throw error;
    return null;
  });
  const mongodbUrl = config.mongodbUrl ?? endpoint?.mongodbUrl;
  const logFolder = endpoint?.logFolder ?? `${config.dataDir}/log`;
  if (mongodbUrl !== undefined) return { mongodbUrl, logFolder };
  throw new UserError(
    `Nothing runs on ${config.dataDir}: start it with npm start, or set MONGODB_URL`,
  );
}

/** Where people reach the service: configured, or the running system's, or what a reader would listen on. */
export async function originOf(config: Config): Promise<string> {
  const running = () => readEndpoint(config.dataDir).catch(() => null);
  const endpoint = config.publicUrl === null ? await running() : null;
  return config.publicUrl ?? endpoint?.apiAddress ?? httpAddress(config.host, config.port);
}

/** Where a server on this machine is reached; one that listens on all addresses is shown by its loopback. */
export function httpAddress(host: string, port: number): string {
  const shown = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

export async function openStore(config: Config): Promise<StoreConnection> {
  const { mongodbUrl } = await locate(config);
  return connectStore(mongodbUrl, CONNECT_TIMEOUT_MS);
}

/** The same for processes that stay: they wait for the database as long as it takes. Null when the signal came first. */
export async function awaitStore(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<StoreConnection | null> {
  const { mongodbUrl } = await locate(config);
  while (!signal.aborted) {
    try {
      return await connectStore(mongodbUrl, CONNECT_TIMEOUT_MS, signal);
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof StoreAwayError)) throw error;
      log.warn(`Waiting for MongoDB: ${error.message}`);
      await delay(RETRY_MS, signal);
    }
  }
  return null;
}

export interface AwaitedLog {
  readonly eventLog: EventLog;
  /** Whether anything was ever projected from it. */
  readonly isNew: boolean;
}

/** As `awaitStore`; makes the log where there is none, and nothing was projected from it. */
export async function awaitLog(
  { readModel }: StoreConnection,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<AwaitedLog | null> {
  try {
    const projected = await retried(() => lastProjected(readModel), { logger: log, signal });
    const eventLog = await openLog(config, log, { projected, makes: true, signal });
    return { eventLog, isNew: projected === null };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

export interface OpenLogOptions {
  /** What the database remembers of the log: a log that something was projected from is never made again. */
  readonly projected: LastProjected | null;
  /** Whether a log may be made at all where there is none. */
  readonly makes: boolean;
  /** Shuts other writers out for as long as the log is open. */
  readonly writer?: boolean;
  readonly waitMsMax?: number;
  readonly signal?: AbortSignal;
}

/** The configured log. */
export async function openLog(
  config: Config,
  log: Log,
  { projected, makes, ...options }: OpenLogOptions,
): Promise<EventLog> {
  try {
    return await openWith(config, log, { ...options, create: makes && projected === null });
  } catch (error) {
    if (!(error instanceof MissingLogError)) throw error;
    throw new UserError(missingText(error.what, projected), { cause: error });
  }
}

function missingText(what: string, projected: LastProjected | null): string {
  if (projected === null) return `There is no ${what} yet: start a projector first`;
  const { partition, offset } = projected;
  return `DATA_LOSS: there is no ${what}, though offset ${offset} of partition ${partition} was projected from it: bring it back, or name the right one (docs/operations.md, DATA_LOSS)`;
}

async function openWith(
  config: Config,
  log: Log,
  options: Omit<OpenLogOptions, 'projected' | 'makes'> & { readonly create: boolean },
): Promise<EventLog> {
  if (config.kafka !== null) {
    // Loaded where it is used: a reader has no log.
    const { openKafkaLog } = await import('../event-log/kafka/kafka-log.ts');
    return openKafkaLog(config.kafka, config.eventsTopic, { log, ...options });
  }
  const { logFolder } = await locate(config);
  return openFolderLog(logFolder, { writer: options.writer ?? false, create: options.create });
}

/** One generation, to be read. */
export function storeParts(connection: StoreConnection, generation: string): StoreParts {
  return {
    collections: generationCollections(connection.readModel, generation),
    decisions: createDecisionLog(connection.database(ACCESS_DATABASE)),
  };
}

/** A line of work on one generation. */
export function projectorStore(connection: StoreConnection, generation: string): ProjectorStore {
  const parts = storeParts(connection, generation);
  return { ...parts, session: openCommitSession(connection.client, parts.collections) };
}

/** The same for an operator's command: the streams that it parks do not count for the alarm. */
export function operatorStore(connection: StoreConnection, generation: string): ProjectorStore {
  const parts = storeParts(connection, generation);
  return { ...parts, session: openCommitSession(connection.client, parts.collections, false) };
}
