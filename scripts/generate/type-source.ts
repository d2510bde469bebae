// Turns one JSON Schema into the source of one TypeScript interface.
import { compile } from 'json-schema-to-typescript';
import type { JsonSchema } from './schema-files.ts';

export const GENERATED_LINE = '// Generated from schemas/ by npm run generate; do not edit.';

/** Returns the interface of a schema without references, named after its title. */
export async function typeSource(schema: JsonSchema): Promise<string> {
  const source = await compile(plain(schema) as object, String(schema.title), {
    additionalProperties: false,
    bannerComment: '',
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
  return source.trim();
}

// Longer enums are left out of types: a union of 180 currencies helps nobody. Types cannot express conditions at all.
const ENUM_MAX = 30;

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(
    ([keyword, part]) =>
      keyword !== 'if' &&
      keyword !== 'then' &&
      !(keyword === 'enum' && Array.isArray(part) && part.length > ENUM_MAX),
  );
  return Object.fromEntries(entries.map(([keyword, part]) => [keyword, plain(part)]));
}
