// Writes the files that are generated from schemas/. With --check it changes nothing and lists the stale files.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiTypes } from './generate/api-types.ts';
import { asyncapi } from './generate/asyncapi.ts';
import { eventTypes } from './generate/event-types.ts';
import { openapi } from './generate/openapi.ts';
import { querySchemas } from './generate/query-schemas.ts';
import { queryTypes } from './generate/query-types.ts';
import { readRoutes } from './generate/routes.ts';
import { schemaModule } from './generate/schema-module.ts';
import { toolsSource } from './generate/tools.ts';
import { parseOptions } from './parse-options.ts';
import { runMain } from './run-main.ts';

/** Returns the text of every generated file by its path in the repository. */
async function generate(): Promise<Map<string, string>> {
  const routes = readRoutes();
  return new Map([
    ['schemas/generated/events.ts', await eventTypes()],
    ['schemas/generated/event-schemas.ts', schemaModule('schemas/events', 'EVENT_SCHEMAS')],
    ['schemas/generated/api.ts', await apiTypes(routes)],
    ['schemas/generated/queries.ts', await queryTypes(routes)],
    ['schemas/generated/query-schemas.ts', querySchemas()],
    ['schemas/generated/tools.ts', toolsSource()],
    ['schemas/openapi.json', openapi(routes)],
    ['schemas/asyncapi.json', asyncapi()],
  ]);
}

function current(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

await runMain(async () => {
  const { check } = parseOptions({ check: { type: 'boolean', default: false } });
  const files = await generate();
  const stale = [...files].filter(([file, text]) => current(file) !== text);
  if (check) {
    for (const [file] of stale) console.error(`${file} is stale: run npm run generate`);
    if (stale.length > 0) process.exitCode = 1;
  } else {
    for (const [file, text] of stale) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`wrote ${file}`);
    }
  }
});
