// The schemas of parameters as everything else uses them: with those that every endpoint of a budget has.
import { type JsonSchema, readFolder, readJson, type SchemaFile } from './schema-files.ts';
import { GENERATED_LINE } from './type-source.ts';

const FOLDER = 'schemas/api/queries';

/** Returns the schemas of all endpoints' parameters. */
export function readQueries(): SchemaFile[] {
  const shared = readShared();
  return readFolder(FOLDER).map(file => whole(file, shared));
}

/** Returns the schema of an endpoint's parameters, by its file's name without `.json`. */
export function readQuery(name: string): SchemaFile {
  const path = `${FOLDER}/${name}.json`;
  return whole({ name, path, schema: readJson(path) }, readShared());
}

/** Returns the source of `schemas/generated/query-schemas.ts`. */
export function querySchemas(): string {
  const schemas = Object.fromEntries(readQueries().map(({ name, schema }) => [name, schema]));
  const exported = `export const QUERY_SCHEMAS = ${JSON.stringify(schemas, null, 2)};`;
  return `${GENERATED_LINE}\n\n${exported}\n`;
}

/** Returns the parameters that all endpoints of a budget have. */
function readShared(): JsonSchema {
  return readJson(`${FOLDER}/definitions.json`);
}

/** Parameters of the path come first, then the budget and the endpoint's own, and headers last. */
function whole(file: SchemaFile, shared: JsonSchema): SchemaFile {
  const { 'x-budget': isOfBudget, ...own } = file.schema;
  if (isOfBudget !== true) return file;
  const all = Object.entries({ ...propertiesOf(shared), ...propertiesOf(own) });
  const at = (place?: string) => all.filter(([, property]) => property['x-in'] === place);
  const properties = Object.fromEntries([...at('path'), ...at(), ...at('header')]);
  const required = [...requiredOf(own), ...requiredOf(shared)];
  const inOrder = Object.keys(properties).filter(name => required.includes(name));
  return { ...file, schema: { ...own, properties, required: inOrder } };
}

function propertiesOf({ properties }: JsonSchema): Record<string, JsonSchema> {
  return properties as Record<string, JsonSchema>;
}

function requiredOf({ required = [] }: JsonSchema): readonly string[] {
  return required as readonly string[];
}
