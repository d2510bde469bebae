// Generates the tools for assistants from schemas/api/tools.json: their schemas are those of the endpoints that they call.
import type { RouteName } from '../../schemas/generated/api.ts';
import { component } from './openapi-schemas.ts';
import { readQuery } from './query-schemas.ts';
import { type JsonSchema, readJson, resolveReferences } from './schema-files.ts';
import { GENERATED_LINE } from './type-source.ts';

interface ToolRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** With several, the caller names one of them as `kind`. */
  readonly routes: readonly RouteName[];
  /** The parameters that the tool takes; absent: all of its endpoint. */
  readonly parameters?: readonly string[];
  /** What the tool requires besides what its endpoint does. */
  readonly required?: readonly string[];
  readonly without?: readonly string[];
  /** Descriptions of arguments that mean more than one route says of them. */
  readonly descriptions?: Readonly<Record<string, string>>;
}

/** Pages of an assistant are small, because it reads all of them. */
const LIMIT_DEFAULT = 100;
/** Validators of clients know these; others would warn about the formats of this service. */
const KNOWN_FORMATS: readonly unknown[] = ['date', 'date-time'];
const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const TYPE = `/** A tool for assistants, and the endpoints that it calls. */
export interface Tool {
  readonly name: string;
  /** With several, the argument \`kind\` names one. */
  readonly routes: readonly RouteName[];
  /** Most rows of a page, if the tool takes a limit and the caller gives none. */
  readonly limit: number;
  /** All arguments that it takes. */
  readonly takes: readonly string[];
  /** Arguments that the tool requires, and its routes do not. */
  readonly required: readonly string[];
  /** The tool as it is listed. */
  readonly listing: object;
}`;

/** Returns the source of `schemas/generated/tools.ts`. */
export function toolsSource(): string {
  const rows = readJson('schemas/api/tools.json') as unknown as readonly ToolRow[];
  const tools = JSON.stringify(rows.map(tool), null, 2);
  const parts = [
    GENERATED_LINE,
    "import type { RouteName } from './api.ts';",
    TYPE,
    `export const TOOLS: readonly Tool[] = ${tools};`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function tool(row: ToolRow): object {
  const { name, title, description, routes, required = [] } = row;
  const input = inputSchema(row);
  return {
    name,
    routes,
    limit: LIMIT_DEFAULT,
    takes: Object.keys(input.properties as JsonSchema),
    required,
    listing: {
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: outputSchema(routes),
      annotations: { title, ...READ_ONLY },
    },
  };
}

function inputSchema(row: ToolRow): JsonSchema {
  const { routes, parameters, required: more = [], without = [], descriptions = {} } = row;
  const [first = ''] = routes;
  const query = readQuery(first);
  const { properties, required = [] } = resolveReferences(query.schema, query.path);
  const taken = Object.entries(properties as Record<string, JsonSchema>).filter(
    ([name, property]) =>
      property['x-in'] !== 'header' &&
      !without.includes(name) &&
      (parameters?.includes(name) ?? true),
  );
  const kind = { description: 'Which of these to look at.', type: 'string', enum: routes };
  const needed = [...(required as readonly string[]), ...more].filter(name => name !== 'budget_id');
  const isOneOf = routes.length > 1;
  return {
    type: 'object',
    properties: {
      ...(isOneOf && { kind }),
      ...Object.fromEntries(
        taken.map(([name, property]) => [name, argument(name, property, descriptions)]),
      ),
    },
    required: [...(isOneOf ? ['kind'] : []), ...needed],
    additionalProperties: false,
  };
}

function argument(
  name: string,
  property: JsonSchema,
  { [name]: ofTool }: NonNullable<ToolRow['descriptions']>,
): JsonSchema {
  const { 'x-in': _, example, ...schema } = property;
  const shown = {
    ...schema,
    ...(ofTool !== undefined && { description: ofTool }),
    ...(example !== undefined && { examples: [example] }),
  };
  if (name === 'limit') return plain({ ...shown, default: LIMIT_DEFAULT });
  if (name !== 'budget_id') return plain(shown);
  const description =
    'The budget to read. It may be left out if the token reaches exactly one budget.';
  return plain({ ...shown, description });
}

/** An object in any case, because clients require that. */
function outputSchema(routes: readonly RouteName[]): JsonSchema {
  const answers = routes.map(route => {
    const file = `schemas/api/answers/${route}.json`;
    return plain(resolveReferences(readJson(file), file));
  });
  const [first = {}] = answers;
  return answers.length === 1 ? first : { type: 'object', anyOf: answers };
}

/** Returns the schema with the keywords that clients know. */
function plain(schema: JsonSchema): JsonSchema {
  return without(component(schema)) as JsonSchema;
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([keyword, part]) => {
    if (keyword === 'format') return typeof part !== 'string' || KNOWN_FORMATS.includes(part);
    // Clients that are not in JavaScript warn about patterns that look ahead.
    if (keyword === 'pattern') return typeof part !== 'string' || !part.includes('(?!');
    return keyword !== 'x-extensible-enum' && keyword !== '$defs' && keyword !== '$id';
  });
  return Object.fromEntries(kept.map(([keyword, part]) => [keyword, without(part)]));
}
