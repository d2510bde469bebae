// Generates the TypeScript types of the events: one interface for the data of each type, and their unions.
import { readFolder, resolveReferences, type SchemaFile } from './schema-files.ts';
import { GENERATED_LINE, typeSource } from './type-source.ts';

const ENVELOPE = `/** A decoded CloudEvents 1.0 event, see schemas/envelope.json; other extension attributes may be there. */
export interface EventEnvelope<T extends string, D> {
  specversion: '1.0';
  id: string;
  source: string;
  type: T;
  /** RFC 3339 UTC with Z and any fraction of a second. */
  time: string;
  datacontenttype?: string | null;
  /** The budget's id, or for space events the space's id. */
  subject: string;
  /** 1, 2, 3 … within the subject. */
  sequence: number;
  schemaversion: number;
  data: D;
}`;

export async function eventTypes(): Promise<string> {
  const files = readFolder('schemas/events');
  const interfaces: string[] = [];
  for (const file of files) {
    interfaces.push(await typeSource(resolveReferences(file.schema, file.path)));
  }
  const space = files.filter(file => file.name.startsWith('space.'));
  const budget = files.filter(file => !file.name.startsWith('space.'));
  const parts = [
    GENERATED_LINE,
    ENVELOPE,
    ...interfaces,
    union('SpaceEvent', space),
    union('BudgetEvent', budget),
    'export type DomainEvent = SpaceEvent | BudgetEvent;',
    list('SPACE_EVENT_TYPES', space),
    list('BUDGET_EVENT_TYPES', budget),
  ];
  return `${parts.join('\n\n')}\n`;
}

function union(name: string, files: readonly SchemaFile[]): string {
  const members = files.map(file => `  | EventEnvelope<'${file.name}', ${file.schema.title}>`);
  return `export type ${name} =\n${members.join('\n')};`;
}

function list(name: string, files: readonly SchemaFile[]): string {
  const items = files.map(file => `  '${file.name}',`);
  return `export const ${name} = [\n${items.join('\n')}\n] as const;`;
}
