// Reads the hand-written schemas, and resolves their references for tools that support none.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A JSON Schema, or a part of one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export interface SchemaFile {
  /** File name without `.json`, such as `transaction.entered`. */
  readonly name: string;
  /** Path from the root of the repository. */
  readonly path: string;
  readonly schema: JsonSchema;
}

/** @throws Error that names the file if there is none */
export function readJson(file: string): JsonSchema {
  if (!existsSync(file)) throw new Error(`Expected the file ${file}, there is none`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Returns the schemas of a folder in the order of their names, without definitions.json. */
export function readFolder(folder: string): SchemaFile[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.json') && file !== 'definitions.json')
    .sort()
    .map(file => {
      const location = path.posix.join(folder, file);
      return { name: path.basename(file, '.json'), path: location, schema: readJson(location) };
    });
}

/** Returns the replacement of a reference; `file` is the target's file, which its own references are relative to. */
type Replace = (target: JsonSchema, file: string) => JsonSchema;

/** Returns the schema with every reference replaced by its target. */
export function resolveReferences(schema: JsonSchema, file: string): JsonSchema {
  return replaceReferences(schema, file, resolveReferences);
}

/** Returns the schema with every reference replaced; keywords beside a reference override those of the target. */
export function replaceReferences(schema: JsonSchema, file: string, replace: Replace): JsonSchema {
  return visit(schema, file, replace) as JsonSchema;
}

function visit(value: unknown, file: string, replace: Replace): unknown {
  if (Array.isArray(value)) return value.map(item => visit(item, file, replace));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, $schema: _, ...rest } = value as JsonSchema;
  const own = Object.fromEntries(
    Object.entries(rest).map(([keyword, part]) => [keyword, visit(part, file, replace)]),
  );
  if (typeof $ref !== 'string') return own;
  const [target = '', pointer = ''] = $ref.split('#');
  const targetFile = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
  return { ...replace(at(targetFile, pointer), targetFile), ...own };
}

function at(file: string, pointer: string): JsonSchema {
  let part: unknown = readJson(file);
  for (const step of pointer.split('/').slice(1)) part = (part as JsonSchema | undefined)?.[step];
  if (part === undefined) throw new Error(`Expected ${file} to hold ${pointer}, it does not`);
  return part as JsonSchema;
}
