// Installs packages on a CI machine.
import { spawn } from 'node:child_process';

/** Tries one package after the other; returns whether one is installed, false without root. */
export async function installOneOf(packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  if (!(await run('apt-get', ['update', '-qq']))) return false;
  for (const name of packages) {
    if (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name])) {
      return true;
    }
  }
  return false;
}

function run(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', () => resolve(false));
    child.on('close', code => resolve(code === 0));
  });
}
