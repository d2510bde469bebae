// Folders of the user's cache that are filled once: a half-filled one never has the name.
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../src/process/cache-folder.ts';

/** Returns the folder of that name. `fill` gets an empty folder beside it, which is renamed when it is full. */
export async function cachedFolder(
  env: NodeJS.ProcessEnv,
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder(env), name);
  if (await exists(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}.`);
  try {
    await fill(fresh);
    await rename(fresh, folder);
  } catch (error) {
    // Another process may have been faster.
    if (!(await exists(folder))) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
