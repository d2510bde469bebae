// `npm run sbom`: prints the packages of production with versions, hashes and licences, as npm lists them (CycloneDX).
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runMain } from './run-main.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OUTPUT_BYTES_MAX = 2 ** 26;

interface Part {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
}

interface Sbom {
  readonly components: readonly Part[];
  readonly dependencies: readonly {
    readonly ref: string;
    readonly dependsOn?: readonly string[];
  }[];
}

/** `npm sbom --omit dev` leaves out what packages of development use too, such as koa: so all are listed, and chosen here. */
async function main(): Promise<void> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel', 'error'];
  const { stdout } = await promisify(execFile)('npm', args, {
    cwd: ROOT,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const all = JSON.parse(stdout) as Sbom;
  const production = await productionPackages();
  const components = all.components.filter(part => production.has(`${part.name}@${part.version}`));
  const left = new Set(components.map(part => part['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => left.has(ref) || !all.components.some(part => part['bom-ref'] === ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(one => left.has(one)) }));
  process.stdout.write(`${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
}

/** Returns the packages that the lock does not mark as of development alone, as `name@version`. */
async function productionPackages(): Promise<ReadonlySet<string>> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<{ version?: string; dev?: boolean }>(lock.packages);
  const production = packages.filter(([, { dev }]) => dev !== true);
  return new Set(
    production.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  );
}

await runMain(main);
