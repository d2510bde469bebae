// What every command works on: the stores and the log, from the configuration or from a running embedded system.
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCESS_DATABASE } from '../access/connect.ts';
import { createDecisionLog } from '../access/decisions.ts';
import type { Config } from '../config.ts';
import { readEndpoint } from '../embedded/data-folder.ts';
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { openFolderLog } from '../event-log/folder/folder-log.ts';
import type { Log } from '../log.ts';
import type { ProjectorStore, StoreParts } from '../projector/store.ts';
import { generationCollections } from '../read-store/collections.ts';
import { openCommitSession } from '../read-store/commit.ts';
import { connectStore, StoreAwayError, type StoreConnection } from '../read-store/connect.ts';

/** How long a command waits for a database. */
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 1000;

export interface Place {
  readonly mongodbUrl: string;
  readonly logFolder: string;
}

/** Where the databases and the log are: configured, or those of the system that runs on DATA_DIR. */
export async function locate(config: Config): Promise<Place> {
  const endpoint = await readEndpoint(config.dataDir);
  const mongodbUrl = config.mongodbUrl ?? endpoint?.mongodbUrl;
  const logFolder = endpoint?.logFolder ?? `${config.dataDir}/log`;
  if (mongodbUrl !== undefined) return { mongodbUrl, logFolder };
  throw new UserError(
    `Nothing runs on ${config.dataDir}: start it with npm start, or set MONGODB_URL`,
  );
}

/** Where people reach the service: configured, or the running system's, or what a reader would listen on. */
export async function originOf(config: Config): Promise<string> {
  const endpoint = config.publicUrl === null ? await readEndpoint(config.dataDir) : null;
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
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  }
  return null;
}

/** As `awaitStore`. */
export async function awaitLog(
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<EventLog | null> {
  try {
    return await openLog(config, log, { signal });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** The configured log. `writer` shuts other writers out for as long as it is open. */
export async function openLog(
  config: Config,
  log: Log,
  options: {
    readonly writer?: boolean;
    readonly waitMsMax?: number;
    readonly signal?: AbortSignal;
  },
): Promise<EventLog> {
  if (config.kafka !== null) {
    // Loaded where it is used: a reader has no log.
    const { openKafkaLog } = await import('../event-log/kafka/kafka-log.ts');
    return openKafkaLog(config.kafka, config.eventsTopic, { log, ...options });
  }
  const { logFolder } = await locate(config);
  return openFolderLog(logFolder, { writer: options.writer ?? false });
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
