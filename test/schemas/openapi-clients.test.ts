// What generators of clients stumble over does not occur in the OpenAPI document.
import test from 'ava';
import { type JsonSchema, readJson } from '../../scripts/generate/schema-files.ts';
import { visitAll } from './visit-all.ts';

interface Components {
  readonly schemas: Record<string, JsonSchema>;
  readonly securitySchemes: Record<string, JsonSchema>;
}

const DOCUMENT = readJson('schemas/openapi.json');
const { schemas, securitySchemes } = DOCUMENT.components as Components;

test('names of types differ also without case, and none is a type of a language', t => {
  const names = Object.keys(schemas).map(name => name.toLowerCase());
  t.is(new Set(names).size, names.length);
  for (const name of ['date', 'error', 'object', 'string']) t.false(names.includes(name), name);
  const schemes = Object.keys(securitySchemes);
  t.false(schemes.some(scheme => names.includes(scheme.toLowerCase())));
});

test('no component is only a name of another, and no type is one of several', t => {
  for (const [name, schema] of Object.entries(schemas)) {
    t.false('$ref' in schema, name);
  }
  visitAll(DOCUMENT, '', (part, place) => {
    for (const keyword of ['anyOf', 'oneOf', 'exclusiveMinimum', 'exclusiveMaximum']) {
      t.false(keyword in part, `${place}/${keyword}`);
    }
  });
});

test('a number that is no integer has the width of a JSON number', t => {
  const numbers: string[] = [];
  visitAll(schemas, '', (part, place) => {
    if (![part.type].flat().includes('number')) return;
    numbers.push(place);
    t.is(part.format, 'double', place);
  });
  t.deepEqual(numbers, ['/Transaction/properties/exchangeRate']);
});
