// The check of the generated files notices stale ones, and generate writes them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const SCRIPT = fileURLToPath(new URL('../../scripts/generate.js', import.meta.url));
function generate(folder: string, ...options: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('the check names the files that a changed schema makes stale, and generate writes them', t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'generate-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  cpSync('schemas', path.join(folder, 'schemas'), { recursive: true });
  const file = path.join(folder, 'schemas/events/payee.added.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('A payee was made', 'A payee was born'));

  const stale = generate(folder, '--check');
  t.is(stale.status, 1);
  for (const name of ['schemas/generated/events.ts', 'schemas/asyncapi.json']) {
    t.true(stale.stderr.includes(`${name} is stale`));
  }
  t.false(stale.stderr.includes('openapi.json'));
  t.is(generate(folder).status, 0);
  t.is(generate(folder, '--check').status, 0);
  t.true(readFileSync(path.join(folder, 'schemas/generated/events.ts'), 'utf8').includes('born'));
});
