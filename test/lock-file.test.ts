// Every package of package-lock.json is checked by a strong hash when it is installed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
}

async function lockedPackages(): Promise<[string, LockedPackage][]> {
  const lock = JSON.parse(await readFile(join(process.cwd(), 'package-lock.json'), 'utf8'));
  const packages: Record<string, LockedPackage> = lock.packages;
  return Object.entries(packages).filter(([path]) => path !== '');
}

// npm leaves the hash out when it writes the lock from installed packages: those for other platforms are not installed.
// Deleting their entries and `npm install --package-lock-only` brings the hashes back.
test('every package has a SHA-512, also those of other platforms', async t => {
  const packages = await lockedPackages();
  t.true(packages.length > 300);
  const unchecked = packages.filter(
    ([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''),
  );
  t.deepEqual(
    unchecked.map(([path]) => path),
    [],
  );
});

test('the lock names no host of a registry', async t => {
  const resolved = (await lockedPackages()).filter(([, one]) => one.resolved !== undefined);
  t.deepEqual(resolved, []);
});
