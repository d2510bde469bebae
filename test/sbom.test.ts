// What is delivered: `npm run sbom` lists every package of production, each under a licence that allows it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from './helpers/file-test.ts';

/** Permissive licences: they ask for no more than their text beside the package, which node_modules has. */
const ALLOWED = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
];

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string } }[];
}

test('npm run sbom lists the packages of production, all under permissive licences', async t => {
  // Not by npm itself, which would build what the tests are running.
  const script = join(import.meta.dirname, '..', 'scripts', 'sbom.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 2 ** 26 });
  const sbom = JSON.parse(stdout);
  t.is(sbom.bomFormat, 'CycloneDX');
  const components: readonly Component[] = sbom.components;
  const names = new Set(components.map(({ name }) => name));
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    const name = path.replace(/^.*node_modules\//, '');
    if (path !== '' && dev !== true) t.true(names.has(name), name);
  }
  t.true(names.has('koa'));
  t.false(names.has('ava'));
  const refused = components.filter(({ licenses = [] }) => {
    const ids = licenses.map(({ license }) => license?.id ?? 'none');
    return ids.length === 0 || !ids.every(id => ALLOWED.includes(id));
  });
  t.deepEqual(
    refused.map(({ name, version, licenses }) => `${name} ${version} ${JSON.stringify(licenses)}`),
    [],
  );
});
