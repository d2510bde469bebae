// `project`: a projector; partitions are shared out among all that run.
import { UserError } from '../errors.ts';
import { runProjector } from '../projector/projector.ts';
import { ensureGeneration } from '../read-store/registry.ts';
import type { ServeContext } from './serve.ts';
import { openLog, openStore, projectorStore } from './system.ts';

export const PROJECT_USAGE = 'project';

export async function runProject(args: string[], context: ServeContext): Promise<void> {
  if (args.length > 0) {
    throw new UserError(`Expected ${PROJECT_USAGE} alone, got ${args.join(' ')}`);
  }
  const { config, log, print, stopping } = context;
  const connection = await openStore(config);
  try {
    const generation = await ensureGeneration(connection.readModel);
    const eventLog = await openLog(config, false);
    try {
      print(`Projecting ${eventLog.name} into generation ${generation}`);
      const openStore = () => projectorStore(connection, generation);
      const options = { openStore, log: eventLog, group: generation, logger: log };
      await runProjector(options, stopping.signal);
    } finally {
      await eventLog.close();
    }
  } finally {
    await connection.close();
  }
}
