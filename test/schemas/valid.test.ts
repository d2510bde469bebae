// Every schema is one by JSON Schema's own rules: processes do not check that at each start.
import { readdir, readFile } from 'node:fs/promises';
import test from 'ava';
import { createAjv } from '../../src/validation.ts';

const FOLDERS = ['schemas', 'schemas/api', 'schemas/api/queries', 'schemas/events'];

for (const folder of FOLDERS) {
  test(`${folder}: what is a schema is a valid one`, async t => {
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

test('a schema that is none is found', t => {
  t.throws(() => createAjv().validateSchema({ type: 'text' }, true), {
    message: /schema is invalid/,
  });
});
