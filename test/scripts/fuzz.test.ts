import { readFile } from 'node:fs/promises';
import test from 'ava';
import { fuzzSchema } from '../../scripts/fuzz/fuzz-schema.ts';

test('fuzzing knows every parameter but waits, ids of the sample, and no stream', async t => {
  const text = await readFile('schemas/openapi.json', 'utf8');
  const fuzzed = fuzzSchema(text);
  const namesIn = (description: string) => {
    const found: string[] = [];
    for (const path of Object.values<object>(JSON.parse(description).paths)) {
      for (const { parameters = [] } of Object.values(path)) {
        for (const { name, $ref } of parameters) found.push(name ?? $ref.split('/').at(-1));
      }
    }
    return found;
  };
  const all = namesIn(text);
  const left = namesIn(fuzzed);
  t.true(all.some(name => name.startsWith('X-Projection-Wait-')));
  t.deepEqual(
    left,
    all.filter(name => !name.startsWith('X-Projection-Wait-') && name !== 'wait'),
  );
  t.false('/events' in JSON.parse(fuzzed).paths);
  const { parameters } = JSON.parse(fuzzed).paths['/accounts'].get;
  t.is(parameters.find(({ name }: { name?: string }) => name === 'budget_id').example, 'household');
});
