// The folder for what is fetched or computed once for a user. Compiled code is kept there between starts, where Node can
// (22.8 and later): most of a start is compiling packages.
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns `$XDG_CACHE_HOME/budgeting` or `~/.cache/budgeting`. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'budgeting');
}

/** Keeps compiled code between starts, where Node can (22.8 and later): most of a start is compiling packages. */
interface Compiling {
  /** Absent in older versions of Node. NODE_DISABLE_COMPILE_CACHE=1 switches it off. */
  readonly enableCompileCache?: (folder: string) => unknown;
}

/**
 * Node finds a folder that it cannot write, and goes on without. Its own default lies in the folder for temporary files,
 * where other users of the machine could leave code that this one would run.
 */
export function keepCompiledCode(
  env: NodeJS.ProcessEnv,
  node: Compiling = module as Compiling,
): void {
  node.enableCompileCache?.(env.NODE_COMPILE_CACHE || join(cacheFolder(env), 'compiled'));
}
