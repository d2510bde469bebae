// Every package of package-lock.json is checked by a strong hash when it is installed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

async function lockedPackages(): Promise<[string, LockedPackage][]> {
  const lock = JSON.parse(await readFile(join(process.cwd(), 'package-lock.json'), 'utf8'));
  const packages: Record<string, LockedPackage> = lock.packages;
  return Object.entries(packages).filter(([path]) => path !== '');
}

/** A binary of a development tool for another platform than that of CI and of the image. */
function isForeign(path: string, { dev, optional, os = [], cpu = [] }: LockedPackage): boolean {
  const isOurs = os.includes('linux') && cpu.includes('x64') && !path.endsWith('musl');
  return dev === true && optional === true && !isOurs;
}

test('every package has a SHA-512, but for development binaries of other platforms', async t => {
  const packages = await lockedPackages();
  t.true(packages.length > 300);
  const unchecked = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  t.deepEqual(
    unchecked.filter(([path, one]) => !isForeign(path, one)).map(([path]) => path),
    [],
  );
});

test('the lock names no host of a registry', async t => {
  const resolved = (await lockedPackages()).filter(([, one]) => one.resolved !== undefined);
  t.deepEqual(resolved, []);
});
