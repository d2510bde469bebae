// Opens the database and the event log that the configuration names, or those of a running embedded system.
import { ACCESS_DATABASE } from '../../access/connect.ts';
import { createDecisionLog } from '../../access/decisions.ts';
import { readEndpoint } from '../../embedded/data-folder.ts';
import { type EventLog, MissingLogError } from '../../event-log/event-log.ts';
import { openFolderLog } from '../../event-log/folder/folder-log.ts';
import type { Config } from '../../process/config.ts';
import { UserError } from '../../process/errors.ts';
import type { Logger } from '../../process/log.ts';
import { delay } from '../../process/waiting.ts';
import type { ProjectorStore, StoreParts } from '../../projector/store.ts';
import { generationCollections } from '../../store/collections.ts';
import { connectStore, StoreAwayError, type StoreConnection } from '../../store/connect.ts';
import { type LastProjected, lastProjected } from '../../store/last-projected.ts';
import { retried } from '../../store/retry.ts';
import { openCommitSession } from '../../store/writing/commit.ts';

/** One attempt to connect to the database fails after this time. */
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 1000;

export interface SystemLocation {
  readonly mongodbUrl: string;
  readonly logFolder: string;
}

/**
 * Returns where the databases and the log are: as configured, or those of the system that runs on DATA_DIR.
 *
 * @throws UserError when MONGODB_URL is not set and no system runs on DATA_DIR
 */
export async function locateSystem(config: Config): Promise<SystemLocation> {
  const endpoint = await readEndpoint(config.dataDir).catch(error => {
    // A process with MONGODB_URL may have no data folder at all.
    if (config.mongodbUrl === null) throw error;
    return null;
  });
  const mongodbUrl = config.mongodbUrl ?? endpoint?.mongodbUrl;
  const logFolder = endpoint?.logFolder ?? `${config.dataDir}/log`;
  if (mongodbUrl !== undefined) return { mongodbUrl, logFolder };
  throw new UserError(
    `Nothing runs on ${config.dataDir}: start it with npm start (installed: budgeting start), or set MONGODB_URL`,
  );
}

/** Returns the service's origin: PUBLIC_URL, else that of the running system, else the configured HOST and PORT. */
export async function originOf(config: Config): Promise<string> {
  const running = () => readEndpoint(config.dataDir).catch(() => null);
  const endpoint = config.publicUrl === null ? await running() : null;
  return config.publicUrl ?? endpoint?.apiAddress ?? httpAddress(config.host, config.port);
}

/** Returns the URL of a server on this machine. A host that stands for all addresses is shown as loopback. */
export function httpAddress(host: string, port: number): string {
  const shown = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

export async function openStore(config: Config): Promise<StoreConnection> {
  const { mongodbUrl } = await locateSystem(config);
  return connectStore(mongodbUrl, CONNECT_TIMEOUT_MS);
}

/**
 * Connects to the database for a long-running process: retries every second until the database answers. Returns null
 * if the signal aborts first.
 */
export async function awaitStore(
  config: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<StoreConnection | null> {
  const { mongodbUrl } = await locateSystem(config);
  while (!signal.aborted) {
    try {
      return await connectStore(mongodbUrl, CONNECT_TIMEOUT_MS, signal);
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof StoreAwayError)) throw error;
      logger.warn(`Waiting for MongoDB: ${error.message}`);
      await delay(RETRY_MS, signal);
    }
  }
  return null;
}

export interface AwaitedLog {
  readonly eventLog: EventLog;
  /** True if nothing was ever projected from it. */
  readonly isNew: boolean;
}

export interface AwaitLogOptions {
  readonly connection: Pick<StoreConnection, 'readModel'>;
  readonly config: Config;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Opens the log for a long-running process. Creates a missing log, unless something was projected from it. Returns
 * null if the signal aborts first.
 *
 * @throws UserError when a log from which something was projected is missing
 */
export async function awaitLog(options: AwaitLogOptions): Promise<AwaitedLog | null> {
  const { connection, config, logger, signal } = options;
  try {
    const projected = await retried(() => lastProjected(connection.readModel), { logger, signal });
    const eventLog = await openLog(config, logger, { projected, makes: true, signal });
    return { eventLog, isNew: projected === null };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

export interface OpenLogOptions {
  /** The last offset that the database knows; a log from which something was projected is never created again. */
  readonly projected: LastProjected | null;
  /** Whether a missing log may be created. */
  readonly makes: boolean;
  /** Locks out other writers: the folder log refuses a second one, Kafka fences off the earlier one. */
  readonly writer?: boolean;
  readonly waitMsMax?: number;
  readonly signal?: AbortSignal;
}

/**
 * Opens the configured log.
 *
 * @throws UserError when it is missing and must not be created
 */
export async function openLog(
  config: Config,
  logger: Logger,
  { projected, makes, ...options }: OpenLogOptions,
): Promise<EventLog> {
  try {
    return await openWith(config, logger, { ...options, create: makes && projected === null });
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
  logger: Logger,
  options: Omit<OpenLogOptions, 'projected' | 'makes'> & { readonly create: boolean },
): Promise<EventLog> {
  if (config.kafka !== null) {
    // Loaded on demand: a reader opens no log, so it never needs kafkajs.
    const { openKafkaLog } = await import('../../event-log/kafka/kafka-log.ts');
    return openKafkaLog(config.kafka, config.eventsTopic, { logger, ...options });
  }
  const { logFolder } = await locateSystem(config);
  return openFolderLog(logFolder, { writer: options.writer ?? false, create: options.create });
}

/** Returns what reading one generation needs. */
export function storeParts(connection: StoreConnection, generation: string): StoreParts {
  return {
    collections: generationCollections(connection.readModel, generation),
    decisions: createDecisionLog(connection.database(ACCESS_DATABASE)),
  };
}

/** Returns what projecting into one generation needs, with a commit session of its own. */
export function projectorStore(connection: StoreConnection, generation: string): ProjectorStore {
  const parts = storeParts(connection, generation);
  return { ...parts, session: openCommitSession(connection.client, parts.collections) };
}

/** Returns the same for an operator's command; streams that it parks do not count toward the parking alarm. */
export function operatorStore(connection: StoreConnection, generation: string): ProjectorStore {
  const parts = storeParts(connection, generation);
  return { ...parts, session: openCommitSession(connection.client, parts.collections, false) };
}
