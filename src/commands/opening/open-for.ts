// Opens the database and the log for one command, and closes them after it.

import type { EventLog } from '../../event-log/event-log.ts';
import type { Config } from '../../process/config.ts';
import { createLog } from '../../process/log.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { lastProjected } from '../../store/last-projected.ts';
import { type OpenLogOptions, openLog, openStore } from './system.ts';

/** A command gives up if no broker answers for this long. */
const WAIT_MS_MAX = 10_000;

export async function withStore(
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

export async function openFor(
  connection: StoreConnection,
  config: Config,
  options: Partial<OpenLogOptions>,
): Promise<EventLog> {
  const projected = await lastProjected(connection.readModel);
  const defaults = { projected, makes: false, waitMsMax: WAIT_MS_MAX };
  return openLog(config, createLog('warn'), { ...defaults, ...options });
}
