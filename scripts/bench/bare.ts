// Starts the bare reader as a process on the database server of a world.
import { type Running, runBare } from './processes.ts';
import type { World } from './world.ts';

export interface BareReader {
  readonly running: Running;
  readonly origin: string;
}

export async function startBareReader({
  mongodbUrl,
}: Pick<World, 'mongodbUrl'>): Promise<BareReader> {
  const running = runBare('reader', { MONGODB_URL: mongodbUrl });
  const [, origin = ''] = await running.line(/^Bare (\S+)$/);
  return { running, origin };
}
