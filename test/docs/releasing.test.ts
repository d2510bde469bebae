// The versions of a release agree, and docs/releasing.md names what exists.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { nodeMajors } from '../../scripts/node/install-node.ts';

const read = (path: string) => readFile(join(process.cwd(), path), 'utf8');
const manifest = JSON.parse(await read('package.json'));

test('the changelog has a section for each version, the newest first, and the first is this one', async t => {
  const changelog = await read('CHANGELOG.md');
  const sections = changelog.split(/^## /m).slice(1);
  const versions = sections.map(section => /^(\d+\.\d+\.\d+)( \(unreleased\))?\n/.exec(section));
  t.true(versions.length >= 2);
  t.true(versions.every(found => found !== null));
  t.is(versions[0]?.[1], manifest.version);
  const numbers = versions.map(found => (found?.[1] ?? '').split('.').map(Number));
  const sorted = [...numbers].sort(([a = 0, b = 0, c = 0], [d = 0, e = 0, f = 0]) => {
    return d - a || e - b || f - c;
  });
  t.deepEqual(numbers, sorted);
  t.deepEqual(
    versions.slice(1).map(found => found?.[2]),
    versions.slice(1).map(() => undefined),
    'only the first may be unreleased',
  );
  for (const section of sections) t.regex(section, /^- /m);
});

test('package, lock file and API have one version', async t => {
  const lock = JSON.parse(await read('package-lock.json'));
  t.is(lock.version, manifest.version);
  t.is(lock.packages[''].version, manifest.version);
  t.is(JSON.parse(await read('schemas/openapi.json')).info.version, manifest.version);
});

test('the list of steps names scripts and files that exist', async t => {
  const page = await read('docs/releasing.md');
  for (const [, script = ''] of page.matchAll(/npm run ([\w:]+)/g)) {
    t.true(Object.hasOwn(manifest.scripts, script), script);
  }
  for (const [, path = ''] of page.matchAll(/`((?:[\w.-]+\/)*[\w-]+\.(?:json|md|sh))`/g)) {
    await t.notThrowsAsync(read(path), path);
  }
});

test('the table of supported versions agrees with what is built, pinned and tested', async t => {
  const page = await read('docs/operations.md');
  const table = /^## Supported versions\n([\s\S]*?)\n## /m.exec(page)?.[1] ?? '';
  const row = (name: string) => new RegExp(`^\\| ${name} \\|(.*)$`, 'm').exec(table)?.[1] ?? '';
  t.true(row('Node').includes(manifest.engines.node.replace('>=', '')));
  const majors = [...row('Node').matchAll(/\b(2\d)\b(?!\.)/g)].map(([, major]) => major);
  for (const major of await nodeMajors()) t.true(majors.includes(major), major);
  const [, image = ''] = /^FROM node:(\d+)/m.exec(await read('Dockerfile')) ?? [];
  t.true(majors.includes(image));
  const { services } = parse(await read('docker-compose.yml'), { merge: true });
  const images: string[] = Object.values(services as Record<string, { image: string }>).map(
    one => one.image,
  );
  const tagOf = (name: string) => images.find(one => one.startsWith(`${name}:`))?.split(/[:@]/)[1];
  t.true(row('MongoDB').includes(tagOf('mongo') ?? '?'));
  t.true(row('Kafka').includes(tagOf('apache/kafka') ?? '?'));
  t.true((await read('.ci/run')).includes(`for major in ${(await nodeMajors()).join(' ')};`));
});
