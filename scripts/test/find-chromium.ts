// Finds a Chromium on this machine.
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { UserError } from '../../src/process/errors.ts';

/** Its names in the packages of Debian, Ubuntu, Fedora and Google. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/**
 * Returns CHROMIUM_PATH, otherwise the first of the known names on PATH, null if there is none.
 *
 * @throws UserError if CHROMIUM_PATH names no program
 */
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
