// Finds a Java that can run the broker.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const VERSION_MIN = 17;
const TIMEOUT_MS = 20_000;

/** A java command: that of JAVA_HOME, else the one on PATH; null where there is none of version 17 or later. */
export function findJava(env: NodeJS.ProcessEnv): string | null {
  const commands = env.JAVA_HOME ? [join(env.JAVA_HOME, 'bin', 'java'), 'java'] : ['java'];
  return commands.find(command => versionOf(command, env) >= VERSION_MIN) ?? null;
}

/** The major version; 0 where the command does not run. */
function versionOf(command: string, env: NodeJS.ProcessEnv): number {
  const { stderr } = spawnSync(command, ['-version'], {
    env,
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
  });
  return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
}
