// `project`: runs a projector; all running projectors share the partitions among them.

import { awaitLog, awaitStore } from './opening/system.ts';
import type { ServeContext } from './serve.ts';
import { projectGenerations } from './services/generations.ts';
import { openManagement } from './services/management.ts';

export async function runProject(context: ServeContext): Promise<void> {
  const { config, logger, print, stopping } = context;
  const management = await openManagement('project', context);
  try {
    print(`Operators ${management.address}`);
    const { signal } = stopping;
    const connection = await awaitStore(config, logger, signal);
    if (!connection) return;
    try {
      const awaited = await awaitLog({ connection, config, logger, signal });
      if (!awaited) return;
      const { eventLog } = awaited;
      try {
        management.watch({ readModel: connection.readModel, eventLog });
        print(`Projecting ${eventLog.name}`);
        const { projector: metrics } = management;
        await projectGenerations({ connection, config, eventLog, logger, metrics, signal });
      } finally {
        await eventLog.close();
      }
    } finally {
      await connection.close();
    }
  } finally {
    await management.close();
  }
}
