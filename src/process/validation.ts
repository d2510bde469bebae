// Checks data against schemas/: a strict AJV with our formats, and errors as sentences.
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import apiDefinitions from '../../schemas/api/definitions.json' with { type: 'json' };
import eventDefinitions from '../../schemas/events/definitions.json' with { type: 'json' };
import { FORMATS } from '../../schemas/formats.ts';
import { counted, shown } from './printable.ts';

/** Our keywords that inform people and tools, and check nothing. */
const ANNOTATIONS = ['x-in', 'x-extensible-enum', 'example'];

/**
 * Returns a strict AJV for JSON Schema 2020-12 with the shared definitions, under the paths
 * `schemas/events/definitions.json` and `schemas/api/definitions.json`. Add a schema with references under its own path
 * (`addSchema(schema, 'schemas/api/…')`), because references are relative to it.
 */
export function createAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    // Adds the invalid value to each error, for describeError.
    verbose: true,
    // Tests check that our schemas are valid; checking at run time would slow each start.
    validateSchema: false,
    ...options,
  });
  for (const [name, { check }] of Object.entries(FORMATS)) {
    ajv.addFormat(name, check === undefined ? true : { type: 'string', validate: check });
  }
  ajv.addVocabulary(ANNOTATIONS);
  ajv.addSchema(eventDefinitions, 'schemas/events/definitions.json');
  ajv.addSchema(apiDefinitions, 'schemas/api/definitions.json');
  return ajv;
}

/** Returns the check of an added schema, by its path or a reference into it; compiles it at the first call. */
export function checkAt<T = unknown>(ajv: Ajv2020, reference: string): ValidateFunction<T> {
  const check = ajv.getSchema<T>(reference);
  if (check === undefined) throw new Error(`Expected a schema at ${reference}, there is none`);
  return check;
}

/** Returns the errors without those of `if`: another one beside each says what is wrong. */
export function tellingErrors(errors: readonly ErrorObject[] | null | undefined): ErrorObject[] {
  return (errors ?? []).filter(({ keyword }) => keyword !== 'if');
}

/** How a sentence names the checked value. */
export interface Wording {
  /** Name of the whole value, such as `data`; empty to name its properties alone. */
  readonly root: string;
}

/** Returns a sentence on the first of AJV's errors: place, expectation, actual value; without a final period. */
export function describeErrors(
  errors: readonly ErrorObject[] | null | undefined,
  wording: Wording,
): string {
  const first = errors?.[0];
  return first === undefined
    ? 'Expected valid input, got none that a schema accepts'
    : describeError(first, wording);
}

/** Returns such a sentence for one error, for callers that report each (`allErrors`). */
export function describeError(error: ErrorObject, { root }: Wording): string {
  const place = placeOf(error.instancePath, root);
  return `Expected ${place} ${expectation(error)}, got ${got(error)}`;
}

function placeOf(instancePath: string, root: string): string {
  let place = root;
  for (const step of instancePath.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    place += /^[0-9]+$/.test(name) ? `[${name}]` : `${place === '' ? '' : '.'}${name}`;
  }
  return place === '' ? 'the input' : place;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function expectation({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `to be ${[params.type].flat().map(typeName).join(' or ')}`;
    case 'required':
      return `to have ${params.missingProperty}`;
    case 'additionalProperties':
      return 'to have known properties only';
    case 'enum':
      return `to be ${choice(params.allowedValues)}`;
    case 'const':
      return `to be ${JSON.stringify(params.allowedValue)}`;
    case 'pattern':
    case 'format':
      return `to be ${FORMATS[parentSchema?.format]?.words ?? `text like ${params.pattern}`}`;
    case 'minLength':
      return `to have at least ${counted(params.limit, 'character')}`;
    case 'maxLength':
      return `to have at most ${counted(params.limit, 'character')}`;
    case 'minItems':
      return `to have at least ${counted(params.limit, 'entry', 'entries')}`;
    case 'maxItems':
      return `to have at most ${counted(params.limit, 'entry', 'entries')}`;
    case 'uniqueItems':
      return 'to name nothing twice';
    case 'minimum':
      return `to be at least ${params.limit}`;
    case 'maximum':
      return `to be at most ${params.limit}`;
    case 'exclusiveMinimum':
      return `to be above ${params.limit}`;
    default:
      return `that it ${message}`;
  }
}

function typeName(type: string): string {
  return TYPES[type] ?? type;
}

/** More allowed values are only counted. */
const CHOICES_MAX = 15;

function choice(values: readonly unknown[]): string {
  if (values.length > CHOICES_MAX) return `one of ${values.length} known values`;
  const words = values.map(value => (value === null ? 'null' : String(value)));
  return words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`;
}

function got({ keyword, params, parentSchema, data }: ErrorObject): string {
  if (keyword === 'required') return 'none';
  if (keyword === 'additionalProperties') return shown(params.additionalProperty);
  if (keyword === 'uniqueItems') {
    return `the same at [${Math.min(params.i, params.j)}] and [${Math.max(params.i, params.j)}]`;
  }
  if (Array.isArray(data)) return `a list of ${data.length}`;
  if (typeof data === 'object' && data !== null) return 'an object';
  if (typeof data !== 'string') return String(data);
  // Free text is personal, so no part of it may reach a log.
  if (keyword === 'format' && parentSchema?.format === 'text') return 'half of a surrogate pair';
  if (keyword === 'minLength' || keyword === 'maxLength') return `${[...data].length}`;
  return shown(data);
}
