// Finds a Java that can run the broker.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const VERSION_MIN = 17;
const TIMEOUT_MS = 20_000;

/** Returns a java command of version 17 or later: that of JAVA_HOME, otherwise the one on PATH; null for none. */
export function findJava(env: NodeJS.ProcessEnv): string | null {
  const commands = env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin', 'java'), 'java'] : ['java'];
  return commands.find(command => versionOf(command, env) >= VERSION_MIN) ?? null;
}

/** Returns the major version; 0 if the command does not run. */
function versionOf(command: string, env: NodeJS.ProcessEnv): number {
  const { stderr } = spawnSync(command, ['-version'], {
    env,
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
  });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
}
