// `serve`: runs a stateless reader; any number of readers can run side by side.
import { once } from 'node:events';
import type { Config } from '../process/config.ts';
import type { Log } from '../process/log.ts';
import { awaitStore } from './opening/system.ts';
import { openManagement } from './services/management.ts';
import { checkReaderPort, startReader } from './services/reader.ts';

export interface ServeContext {
  readonly config: Config;
  readonly logger: Log;
  readonly print: (line: string) => void;
  readonly stopping: AbortController;
}

export async function runServe(context: ServeContext): Promise<void> {
  const { config, logger, print, stopping } = context;
  const management = await openManagement('serve', context);
  try {
    await checkReaderPort(config);
    print(`Operators ${management.address}`);
    const connection = await awaitStore(config, logger, stopping.signal);
    if (connection === null) return;
    try {
      management.watch({ readModel: connection.readModel, eventLog: null });
      const reader = await startReader({
        connection,
        config,
        logger,
        metrics: management.http,
      });
      const { origin, address } = reader;
      print(`Read API ${origin}/api/v1, docs ${origin}/docs`);
      if (origin !== address) print(`Listening on ${address}`);
      if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
      await reader.stop();
    } finally {
      await connection.close();
    }
  } finally {
    await management.close();
  }
}
