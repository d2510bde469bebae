// `serve`: runs a stateless reader; any number of readers can run side by side.
import { once } from 'node:events';
import { service } from './opening/openings.ts';
import type { ProcessContext } from './opening/process.ts';
import { command } from './syntax/command.ts';

export const serveCommand = command({
  name: 'serve',
  usage: '',
  summary: 'runs a reader: API, its docs and the settings page; any number side by side',
  examples: ['serve'],
  async run(_, context: ProcessContext) {
    const { awaitStore } = await import('./opening/system.ts');
    const { openManagement } = await import('./services/management.ts');
    const { checkReaderPort, startReader } = await import('./services/reader.ts');
    const { closing, config, logger, print, stopping } = context;
    const management = await openManagement('serve', context);
    closing(management.close);
    await checkReaderPort(config);
    print(`Operators ${management.address}`);
    const connection = await awaitStore(config, logger, stopping.signal);
    if (connection === null) return;
    closing(connection.close);
    const reader = await startReader({ connection, config, logger, metrics: management.http });
    closing(reader.stop);
    management.watch({ readModel: connection.readModel, eventLog: null });
    const { origin, address } = reader;
    print(`Read API ${origin}/api/v1, docs ${origin}/docs`);
    if (origin !== address) print(`Listening on ${address}`);
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
  },
  opens: service,
});
