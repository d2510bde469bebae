// Installs Node of other majors once, into the user's cache; package/ pins their versions and hashes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../../src/errors.ts';
import { cachedFolder } from '../cached-folder.ts';

/** The sources: tsc does not copy them to dist. */
const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'scripts', 'node', 'package');
const FILES = ['package.json', 'package-lock.json'];
const INSTALL_MS_MAX = 300_000;
const OPTIONS = [
  '--ignore-scripts',
  '--no-bin-links',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
];

/** Returns the majors that can be installed. */
export async function nodeMajors(): Promise<string[]> {
  const { dependencies } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  return Object.keys(dependencies).map(name => name.replace('node-', ''));
}

/**
 * Returns the folder that contains the program `node` of a major.
 *
 * @throws UserError if there is none of that major for this machine, or if it cannot be installed
 */
export async function installNode(major: string, env: NodeJS.ProcessEnv): Promise<string> {
  const majors = await nodeMajors();
  if (!majors.includes(major)) {
    throw new UserError(`Expected one of the majors ${majors.join(', ')} of Node, got ${major}`);
  }
  const machine = `${process.platform} ${process.arch}`;
  if (machine !== 'linux x64') throw new UserError(`Expected linux x64, got ${machine}`);
  const folder = await cachedFolder(env, await folderName(), install).catch(error => {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = stderr.trim().split('\n')[0] || message;
    throw new UserError(`Node could not be installed from packages: ${reason}`, { cause: error });
  });
  return join(folder, 'node_modules', `node-${major}`, 'bin');
}

async function folderName(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of FILES) hash.update(await readFile(join(PACKAGE, name)));
  return `node-${hash.digest('hex').slice(0, 8)}`;
}

async function install(folder: string): Promise<void> {
  for (const name of FILES) await copyFile(join(PACKAGE, name), join(folder, name));
  const options = { cwd: folder, timeout: INSTALL_MS_MAX };
  await promisify(execFile)('npm', ['ci', ...OPTIONS], options);
}
