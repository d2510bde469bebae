// Packages of npm that no dependency names: pinned by a package-lock.json beside their sources, installed once into the user's
// cache folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../src/process/errors.ts';
import { cachedFolder } from './cached-folder.ts';

/** The sources: tsc does not copy them to dist. */
const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts');
const FILES = ['package.json', 'package-lock.json'];
const INSTALL_MS_MAX = 300_000;
const OPTIONS = [
  '--ignore-scripts',
  '--no-bin-links',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Returns the folder with package.json and package-lock.json of `scripts/<name>`. */
export function pinnedSources(name: string): string {
  return join(SCRIPTS, name, 'package');
}

/**
 * Returns the folder whose `node_modules` contain the packages that `scripts/<name>/package` pins.
 *
 * @param what begins the message of the error
 * @throws UserError if they cannot be installed
 */
export async function installPinned(
  env: NodeJS.ProcessEnv,
  name: string,
  what: string,
): Promise<string> {
  const sources = pinnedSources(name);
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(await readFile(join(sources, file)));
  const folder = `${name}-${hash.digest('hex').slice(0, 8)}`;
  return await cachedFolder(env, folder, to => install(sources, to)).catch(error => {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = stderr.trim().split('\n')[0] || message;
    throw new UserError(`${what} could not be installed from packages: ${reason}`, {
      cause: error,
    });
  });
}

async function install(sources: string, folder: string): Promise<void> {
  for (const file of FILES) await copyFile(join(sources, file), join(folder, file));
  const options = { cwd: folder, timeout: INSTALL_MS_MAX };
  await promisify(execFile)('npm', ['ci', ...OPTIONS], options);
}
