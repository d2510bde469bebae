// The folder for what is fetched or computed once for a user.
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns `$XDG_CACHE_HOME/budgeting` or `~/.cache/budgeting`. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'budgeting');
}
