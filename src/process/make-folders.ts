// Makes a folder with those above it.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode, isMissing, UserError } from './errors.ts';

/**
 * Returns the topmost folder that was made, null if the folder exists already. Node's own recursion never ends where a
 * folder cannot be made though the one above it exists, as in /proc.
 */
export async function makeFolders(path: string, mode = 0o777): Promise<string | null> {
  const make = async () => {
    try {
      await mkdir(path, { mode });
      return path;
    } catch (error) {
      if (errorCode(error) === 'EEXIST' && (await stat(path)).isDirectory()) return null;
      throw error;
    }
  };
  try {
    return await make();
  } catch (error) {
    const parent = dirname(path);
    if (!isMissing(error) || parent === path) throw error;
    // Another process may have made it meanwhile. In /proc, or at a link to nothing, the second attempt fails too.
    if (await stat(parent).catch(() => null)) return await make().catch(cannotBe(path));
    const above = await makeFolders(parent, mode);
    const made = await make();
    return above ?? made;
  }
}

function cannotBe(path: string): (error: unknown) => never {
  return error => {
    if (!isMissing(error)) throw error;
    const message = `Cannot make the folder ${path}: the system has none there, or a link that leads nowhere; name another one`;
    throw new UserError(message, { cause: error });
  };
}
