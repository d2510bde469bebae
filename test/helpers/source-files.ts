// The TypeScript sources of some folders.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns their paths from the root, in order. */
export async function sourceFiles(root: string, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const names = await readdir(join(root, folder), { recursive: true });
    for (const name of names) if (name.endsWith('.ts')) found.push(`${folder}/${name}`);
  }
  return found.sort();
}
