// `project`: runs a projector; all running projectors share the partitions among them.
import { service } from './opening/openings.ts';
import type { ProcessContext } from './opening/process.ts';
import { command } from './syntax/command.ts';

export const projectCommand = command({
  name: 'project',
  usage: '',
  summary: 'runs a projector; all projectors share the partitions of the log',
  examples: ['project'],
  async run(_, context: ProcessContext) {
    const { awaitLog, awaitStore } = await import('./opening/system.ts');
    const { openManagement } = await import('./services/management.ts');
    const { projectGenerations } = await import('./services/project-generations.ts');
    const { closing, config, logger, print, stopping } = context;
    const { signal } = stopping;
    const management = await openManagement('project', context);
    closing(management.close);
    print(`Operators ${management.address}`);
    const connection = await awaitStore(config, logger, signal);
    if (connection === null) return;
    closing(connection.close);
    const awaited = await awaitLog({ connection, config, logger, signal });
    if (awaited === null) return;
    const { eventLog } = awaited;
    closing(eventLog.close);
    management.watch({ readModel: connection.readModel, eventLog });
    print(`Projecting ${eventLog.name}`);
    const { projector: metrics } = management;
    await projectGenerations({ connection, config, eventLog, logger, metrics, signal });
  },
  opens: service,
});
