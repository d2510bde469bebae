// Generates the TypeScript types of the API: its answers, errors, scopes and table of routes.
import type { Route } from '../../schemas/generated/api.ts';
import {
  type JsonSchema,
  readJson,
  replaceReferences,
  resolveReferences,
  type SchemaFile,
} from './schema-files.ts';
import { GENERATED_LINE, typeSource } from './type-source.ts';

const DEFINITIONS = 'schemas/api/definitions.json';

/** Returns the source of `schemas/generated/api.ts`. */
export async function apiTypes(routes: readonly Route[]): Promise<string> {
  const interfaces: string[] = [];
  for (const file of [...titledDefinitions(), apiFile('error'), apiFile('deprecation')]) {
    interfaces.push(await typeSource(withNames(file.schema, file.path)));
  }
  const parts = [
    GENERATED_LINE,
    '/** The scopes of a token. */',
    `export const SCOPES = ${list([...new Set(routes.flatMap(({ scopes }) => scopes))])} as const;`,
    'export type Scope = (typeof SCOPES)[number];',
    '/** The endpoints by name: each has a schema for its query and one for its answer. */',
    `export type RouteName = ${routes.map(({ name }) => `'${name}'`).join(' | ')};`,
    ...interfaces,
    await routeSource(),
    `export const ROUTES: readonly Route[] = ${JSON.stringify(routes, null, 2)};`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function list(values: readonly string[]): string {
  return `[\n${values.map(value => `  '${value}',`).join('\n')}\n]`;
}

/** Returns the type of a route: narrower than its schema, which does not list the routes. */
function routeSource(): Promise<string> {
  const { schema, path } = apiFile('route');
  const { properties, ...rest } = withNames(schema, path);
  const narrower = {
    scopes: 'readonly Scope[]',
    name: 'RouteName',
    query: 'RouteName',
    answer: 'RouteName',
  };
  const entries = Object.entries(properties as Record<string, JsonSchema>).map(
    ([name, property]) => {
      const tsType = (narrower as Record<string, string>)[name];
      return [
        name,
        tsType === undefined ? property : { description: property.description, tsType },
      ];
    },
  );
  return typeSource({ ...rest, properties: Object.fromEntries(entries) });
}

/** Returns the definitions with a title, such as Budget. */
function titledDefinitions(): SchemaFile[] {
  const definitions = readJson(DEFINITIONS).$defs as Record<string, JsonSchema>;
  return Object.entries(definitions)
    .filter(([, schema]) => schema.title !== undefined)
    .map(([name, schema]) => ({ name, path: DEFINITIONS, schema }));
}

function apiFile(name: string): SchemaFile {
  const path = `schemas/api/${name}.json`;
  return { name, path, schema: readJson(path) };
}

/** Replaces a reference to a titled definition by its title, and any other reference by its target. */
function withNames(schema: JsonSchema, file: string): JsonSchema {
  return replaceReferences(schema, file, (target, targetFile) =>
    target.title === undefined
      ? resolveReferences(target, targetFile)
      : { tsType: String(target.title) },
  );
}
