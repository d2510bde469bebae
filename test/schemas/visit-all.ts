// Walks through a JSON document.
import type { JsonSchema } from '../../scripts/generate/schema-files.ts';

/** Visits every object of a part, with its place. */
export function visitAll(
  value: unknown,
  place: string,
  visit: (part: JsonSchema, place: string) => void,
): void {
  if (value === null || typeof value !== 'object') return;
  visit(value as JsonSchema, place);
  for (const [name, part] of Object.entries(value)) visitAll(part, `${place}/${name}`, visit);
}
