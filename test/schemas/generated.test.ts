// The generated files are fresh.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';

const SCRIPT = fileURLToPath(new URL('../../scripts/generate.js', import.meta.url));
const FILES = [
  'schemas/generated/events.ts',
  'schemas/generated/event-schemas.ts',
  'schemas/generated/api.ts',
  'schemas/generated/query-schemas.ts',
  'schemas/openapi.json',
  'schemas/asyncapi.json',
];

test('the generated files are fresh', t => {
  const args = [SCRIPT, '--check'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  t.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
});

test('the first line of generated TypeScript says so, and no type has an index signature', t => {
  for (const file of FILES.filter(name => name.endsWith('.ts'))) {
    const text = readFileSync(file, 'utf8');
    t.true(text.startsWith('// Generated from schemas/ by npm run generate; do not edit.\n'), file);
    t.notRegex(text, /\[\w+: string\]/, file);
  }
});
