// Pinned packages of Python, installed once into the user's cache folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../src/process/errors.ts';
import { cachedFolder } from './cached-folder.ts';

const run = promisify(execFile);

/** Python or its packages cannot be had here. */
export class NoPythonError extends UserError {}

/**
 * Returns the folder of a virtual environment that has the packages.
 *
 * @param name what the packages are for, without spaces
 * @param packages all that are needed, each with its version as pip takes them
 * @throws NoPythonError
 */
export async function installPython(name: string, packages: readonly string[]): Promise<string> {
  const python = await run('python3', ['-c', 'import sys; print(sys.version, sys.prefix)']).catch(
    () => {
      throw new NoPythonError('Expected Python 3.11 as python3, got none');
    },
  );
  const key = createHash('sha256').update([python.stdout, ...packages].join('\n'));
  const folder = `${name}-${key.digest('hex').slice(0, 12)}`;
  return await cachedFolder(process.env, folder, to => install(to, packages)).catch(error => {
    const {
      stderr = '',
      stdout = '',
      message,
    } = error as Error & { stderr?: string; stdout?: string };
    const reason = (stderr || stdout || message).trim().split('\n').at(-1);
    throw new NoPythonError(`Expected to install ${name} by venv and pip, but: ${reason}`);
  });
}

/** A virtual environment can be moved as long as its programs are called by its Python. */
async function install(folder: string, packages: readonly string[]): Promise<void> {
  await run('python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(join(folder, 'bin', 'python3'), [...pip, ...packages]);
}
