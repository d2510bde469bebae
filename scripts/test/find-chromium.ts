// Finds a Chromium on this machine.
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { UserError } from '../../src/errors.ts';

/** As Debian, Ubuntu, Fedora and Google name it. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** CHROMIUM_PATH, or else the first of the known names on PATH; null when there is none. */
export async function findChromium(env: NodeJS.ProcessEnv): Promise<string | null> {
  if (env.CHROMIUM_PATH) {
    if (await isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
    throw new UserError(
      `Expected CHROMIUM_PATH to name a program, got ${JSON.stringify(env.CHROMIUM_PATH)}`,
    );
  }
  const folders = (env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  for (const path of NAMES.flatMap(name => folders.map(folder => join(folder, name)))) {
    if (await isExecutable(path)) return path;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
