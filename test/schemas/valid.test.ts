// Every schema is valid by the rules of JSON Schema. Processes skip this check at their start.
import { readdir, readFile } from 'node:fs/promises';
import test from 'ava';
import { createAjv } from '../../src/process/validation.ts';

const FOLDERS = ['schemas', 'schemas/api', 'schemas/api/queries', 'schemas/events'];

for (const folder of FOLDERS) {
  test(`${folder}: every schema is valid`, async t => {
    const ajv = createAjv();
    let schemas = 0;
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.json')) continue;
      const schema = JSON.parse(await readFile(`${folder}/${name}`, 'utf8'));
      if (schema.$schema === undefined) continue;
      schemas += 1;
      t.true(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
    }
    t.true(schemas > 0);
  });
}

test('the check finds an invalid schema', t => {
  t.throws(() => createAjv().validateSchema({ type: 'text' }, true), {
    message: /schema is invalid/,
  });
});
