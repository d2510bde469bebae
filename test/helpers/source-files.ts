// The TypeScript sources of some folders.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns their paths from the root, in order. */
export function sourceFiles(root: string, folders: readonly string[]): string[] {
  const found: string[] = [];
  for (const folder of folders) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names) if (name.endsWith('.ts')) found.push(`${folder}/${name}`);
  }
  return found.sort();
}
