// Translates the API's schemas to OpenAPI: all of them as components, with references and formats that tools know.
import { readQuery } from './query-schemas.ts';
import { type JsonSchema, readFolder, readJson, resolveReferences } from './schema-files.ts';

/** Formats of this API that have a common name; the others stay, because tools ignore unknown formats. */
const COMMON_FORMATS: Readonly<Record<string, string>> = {
  'calendar-date': 'date',
  'utc-time': 'date-time',
};

/** Returns the schemas of all answers and errors, and of their parts, by component name. */
export function componentSchemas(): Record<string, JsonSchema> {
  const definitions = readJson('schemas/api/definitions.json').$defs as Record<string, JsonSchema>;
  const answers = readFolder('schemas/api/answers').map(file => file.schema);
  const schemas: Record<string, JsonSchema> = {};
  for (const [name, schema] of Object.entries(definitions)) schemas[name] = component(schema);
  for (const schema of [...answers, readJson('schemas/api/error.json')]) {
    if (schema.$ref === undefined) schemas[String(schema.title)] = component(schema);
  }
  return schemas;
}

/** Returns the reference to the component of an answer: what it holds, where it is one object of a kind. */
export function bodyReference({ title, $ref }: JsonSchema): JsonSchema {
  return { $ref: typeof $ref === 'string' ? componentPath($ref) : `#/components/schemas/${title}` };
}

/** Returns one parameter object for each property of a query schema, in its order. */
export function queryParameters(query: string): JsonSchema[] {
  const file = readQuery(query);
  const schema = resolveReferences(file.schema, file.path);
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, example, 'x-in': place = 'query', ...value } = property;
    return {
      name,
      in: place,
      description,
      ...(required.includes(name) ? { required: true } : {}),
      schema: component(value),
      ...(example === undefined ? {} : { example }),
    };
  });
}

export function component(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...rest } = schema;
  return visit(rest) as JsonSchema;
}

function visit(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(visit);
  if (value === null || typeof value !== 'object') return value;
  // Many generators read only the boolean form of OpenAPI 3.0, and some take a number without a width for 32 bits.
  const { exclusiveMinimum: _, ...schema } = value as JsonSchema;
  const known = schema['x-extensible-enum'] as readonly string[] | undefined;
  return translated({
    ...schema,
    ...(known && { examples: [known[0]] }),
    ...([schema.type].flat().includes('number') && { format: 'double' }),
  });
}

function translated(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => [keyword, translate(keyword, part)]),
  );
}

function translate(keyword: string, part: unknown): unknown {
  if (typeof part !== 'string') return visit(part);
  if (keyword === '$ref') return componentPath(part);
  if (keyword === 'format') return COMMON_FORMATS[part] ?? part;
  return part;
}

function componentPath(reference: string): string {
  return `#/components/schemas/${reference.slice(reference.lastIndexOf('/') + 1)}`;
}
