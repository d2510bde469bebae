// Opens the management port of a process for the command that it runs.
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { createManagement, type Management } from '../../pages/operators/create-management.ts';
import type { ProcessContext } from '../opening/process.ts';
import { httpAddress } from '../opening/system.ts';

export interface OpenManagement extends Management {
  /** URL of the operators' page. */
  readonly address: string;
}

/** @throws UserError when the port is taken */
export async function openManagement(
  command: 'start' | 'serve' | 'project',
  { config, logger, stopping }: Pick<ProcessContext, 'config' | 'logger' | 'stopping'>,
): Promise<OpenManagement> {
  const { managementHost: host, managementPort } = config;
  const management = await createManagement({
    host,
    port: managementPort,
    command,
    reads: command !== 'project',
    projects: command !== 'serve',
    version: PROJECTIONS_VERSION,
    stopping: stopping.signal,
    now: () => new Date(),
    logger,
  });
  return { ...management, address: `${httpAddress(host, management.port)}/` };
}
