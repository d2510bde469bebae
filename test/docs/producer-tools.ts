// What the programs of docs/producers.md need: folders in which they find their packages, each fetched once.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from '../../scripts/cached-folder.ts';
import { installPinned } from '../../scripts/pinned-packages.ts';
import { UserError } from '../../src/process/errors.ts';

const FETCH_MS_MAX = 300_000;
const FRANZ = 'github.com/twmb/franz-go/pkg/kgo@v1.22.3';

/** Lets programs in a folder find their packages. */
export type Prepare = (folder: string) => Promise<void>;

/** @throws UserError if the packages cannot be had */
export async function platformatic(): Promise<Prepare> {
  const packages = await installPinned(process.env, 'producers', '@platformatic/kafka');
  return folder => symlink(join(packages, 'node_modules'), join(folder, 'node_modules'));
}

/** @throws UserError if Go is missing, or its packages cannot be had */
export async function franzGo(): Promise<Prepare> {
  const key = createHash('sha256').update(FRANZ).digest('hex').slice(0, 8);
  const module = await cachedFolder(process.env, `go-producers-${key}`, async fresh => {
    await go(['mod', 'init', 'producers'], fresh);
    await go(['get', FRANZ], fresh);
  });
  await go(['mod', 'download'], module);
  return async folder => {
    for (const name of ['go.mod', 'go.sum']) await cp(join(module, name), join(folder, name));
  };
}

async function go(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)('go', args, { cwd, timeout: FETCH_MS_MAX }).catch(error => {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    const last = (stderr || message)
      .trim()
      .split('\n')
      .at(-1)
      ?.replaceAll(/\w+:\/\/\S+/g, '…');
    const reason = code === 'ENOENT' ? 'Go is not installed' : last;
    throw new UserError(`Expected \`go ${args.join(' ')}\` to succeed, but: ${reason}`);
  });
}
