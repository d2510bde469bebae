// Generates the TypeScript types of parameters: one interface for each query schema, and a map of endpoints to them.
import type { Route } from '../../schemas/generated/api.ts';
import { readQueries } from './query-schemas.ts';
import { type JsonSchema, resolveReferences } from './schema-files.ts';
import { GENERATED_LINE, typeSource } from './type-source.ts';

/** Returns the source of `schemas/generated/queries.ts`. */
export async function queryTypes(routes: readonly Route[]): Promise<string> {
  const files = readQueries();
  const interfaces: string[] = [];
  for (const file of files) {
    interfaces.push(await typeSource(withDefaults(resolveReferences(file.schema, file.path))));
  }
  const titles = new Map(files.map(({ name, schema }) => [name, String(schema.title)]));
  const members = routes.map(({ name, query }) => `  '${name}': ${titles.get(query)};`);
  const parts = [
    GENERATED_LINE,
    ...interfaces,
    '/** The checked parameters of each endpoint, defaults filled in. */',
    `export interface Queries {\n${members.join('\n')}\n}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The check fills in defaults, so a property that has one is always present. */
function withDefaults(schema: JsonSchema): JsonSchema {
  const { properties, required = [] } = schema;
  const filledIn = Object.entries(properties as Record<string, JsonSchema>).flatMap(
    ([name, property]) => ('default' in property ? [name] : []),
  );
  return { ...schema, required: [...(required as readonly string[]), ...filledIn] };
}
