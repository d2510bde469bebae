// Installs Node of other majors once, into the user's cache; package/ pins their versions and hashes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/embedded/mongod-binary.ts';
import { UserError } from '../../src/errors.ts';

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
  const folder = await folderOf(env);
  if (!(await exists(folder))) await install(folder);
  return join(folder, 'node_modules', `node-${major}`, 'bin');
}

async function folderOf(env: NodeJS.ProcessEnv): Promise<string> {
  const hash = createHash('sha256');
  for (const name of FILES) hash.update(await readFile(join(PACKAGE, name)));
  return join(cacheFolder(env), `node-${hash.digest('hex').slice(0, 8)}`);
}

async function install(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}.`);
  try {
    for (const name of FILES) await copyFile(join(PACKAGE, name), join(fresh, name));
    const options = { cwd: fresh, timeout: INSTALL_MS_MAX };
    await promisify(execFile)('npm', ['ci', ...OPTIONS], options);
    await rename(fresh, folder);
  } catch (error) {
    // Another process may have installed the same in the meantime.
    if (await exists(folder)) return;
    const { stderr = '', message } = error as Error & { stderr?: string };
    const reason = stderr.trim().split('\n')[0] || message;
    throw new UserError(`Node could not be installed from packages: ${reason}`, { cause: error });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
