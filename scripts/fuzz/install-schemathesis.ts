// Schemathesis and all that it needs, pinned and installed once into the user's cache folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../../src/errors.ts';
import { cachedFolder } from '../cached-folder.ts';

const run = promisify(execFile);

const PACKAGES = [
  ...['schemathesis==4.32.5', 'anyio==4.16.0', 'certifi==2026.10.18', 'charset-normalizer==3.5.2'],
  ...['click==8.5.1', 'graphql-core==3.3.2', 'harfile==0.6.0', 'hypothesis==6.170.15'],
  ...['hypothesis-graphql==0.13.5', 'idna==3.20', 'iniconfig==2.3.1', 'jsonschema_rs==0.60.3'],
  ...['markdown-it-py==4.3.0', 'MarkupSafe==3.0.4', 'mdurl==0.1.2', 'packaging==26.3'],
  ...['pluggy==1.7.0', 'Pygments==2.21.0', 'pyrate-limiter==4.5.1', 'pytest==9.2.0'],
  ...['PyYAML==6.0.3', 'requests==2.34.2', 'rich==15.0.0', 'sortedcontainers==2.4.0'],
  ...['typing_extensions==4.16.0', 'urllib3==2.8.0', 'Werkzeug==3.1.9'],
];

/** Python or its packages cannot be had here. */
export class NoPythonError extends UserError {}

/**
 * Returns the folder of a virtual environment that has schemathesis.
 *
 * @throws NoPythonError
 */
export async function installSchemathesis(): Promise<string> {
  const python = await run('python3', ['-c', 'import sys; print(sys.version, sys.prefix)']).catch(
    () => {
      throw new NoPythonError('Expected Python 3.11 as python3, got none');
    },
  );
  const key = createHash('sha256').update([python.stdout, ...PACKAGES].join('\n'));
  const name = `schemathesis-${key.digest('hex').slice(0, 12)}`;
  return await cachedFolder(process.env, name, install).catch(error => {
    const {
      stderr = '',
      stdout = '',
      message,
    } = error as Error & { stderr?: string; stdout?: string };
    const reason = (stderr || stdout || message).trim().split('\n').at(-1);
    throw new NoPythonError(`Expected to install schemathesis by venv and pip, but: ${reason}`);
  });
}

/** A virtual environment can be moved as long as its programs are called by its Python. */
async function install(folder: string): Promise<void> {
  await run('python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(join(folder, 'bin', 'python3'), [...pip, ...PACKAGES]);
}
