// Python's packages for the recipes, pinned and installed once into the user's cache folder.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { cachedFolder } from '../../scripts/cached-folder.ts';

const run = promisify(execFile);

/** What the page names, Home Assistant's template engine, and all that these need. */
const PACKAGES = [
  'pandas==2.3.3',
  'matplotlib==3.10.7',
  'jinja2==3.1.6',
  'contourpy==1.3.3',
  'cycler==0.12.1',
  'fonttools==4.68.0',
  'kiwisolver==1.5.1',
  'markupsafe==3.0.4',
  'numpy==2.4.6',
  'packaging==26.3',
  'pillow==13.0.0',
  'pyparsing==3.3.3',
  'python-dateutil==4.0.0',
  'pytz==2026.6',
  'tzdata==2026.6',
];

/** Returns a folder for PYTHONPATH. A folder needs less of the machine than a virtual environment. */
export async function pythonPackages(): Promise<string> {
  const python = (await run('python3', ['-c', 'import sys; print(sys.version, sys.platform)']))
    .stdout;
  const key = createHash('sha256')
    .update([python, ...PACKAGES].join('\n'))
    .digest('hex');
  return await cachedFolder(process.env, `python-${key.slice(0, 12)}`, async folder => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary=:all:'];
    await run('python3', [...pip, '--target', folder, ...PACKAGES]);
  });
}
