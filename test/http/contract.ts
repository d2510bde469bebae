// Holds bodies to the contract: schemas/api.
import { readFileSync } from 'node:fs';
import { createAjv, describeErrors } from '../../src/process/validation.ts';

const ajv = createAjv();

/** Null where a body is what schemas/api/answers/<name>.json (or error.json) says, else what is wrong. */
export function holdsTo(name: string, body: unknown): string | null {
  const path = name === 'error' ? 'schemas/api/error.json' : `schemas/api/answers/${name}.json`;
  if (!ajv.getSchema(path)) {
    ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')), path);
  }
  const validate = ajv.getSchema(path);
  if (!validate) return `Expected ${path}`;
  return validate(body) ? null : describeErrors(validate.errors, { root: 'body' });
}
