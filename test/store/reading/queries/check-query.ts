// What the database would do for a query: which index leads to its documents, and what bounds their number.
import type { Db, Document } from 'mongodb';

/** A command with a filter, as the driver sent it. */
export interface SentQuery {
  readonly name: string;
  readonly database: string;
  readonly command: Document;
}

/** Commands that look for documents; the value is the field that names the collection. */
export const QUERY_COMMANDS: readonly string[] = [
  'find',
  'aggregate',
  'findAndModify',
  'update',
  'delete',
  'count',
  'distinct',
];

/** Fields of the connection, the session and the deadline, which change no plan and which `explain` refuses. */
const NOT_EXPLAINED: ReadonlySet<string> = new Set([
  ...['lsid', '$clusterTime', '$db', 'txnNumber', 'startTransaction', 'autocommit'],
  ...['readConcern', 'writeConcern', 'maxTimeMS', '$readPreference', 'apiVersion'],
]);

/** Returns a text that is equal for queries which differ in their values only. */
export function shapeOf({ name, command }: SentQuery): string {
  const shown = Object.entries(command).filter(([field]) => !NOT_EXPLAINED.has(field));
  return `${name} ${JSON.stringify(Object.fromEntries(shown), (key, value) => typeOf(key, value))}`;
}

/** Limits and batches count as values too, but whether there is one matters. */
function typeOf(key: string, value: unknown): unknown {
  if (key !== '' && Array.isArray(value) && value.every(isPlain)) return `${value.length > 0}`;
  if (key === 'find' || key === 'aggregate' || key === 'findAndModify') return value;
  if (typeof value === 'string' && value.startsWith('$')) return value;
  return isPlain(value) ? typeof value : value;
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Returns what is wrong with the plan of a query: each scan of a whole collection and each sort in memory. */
export async function planFaults(client: Db, sent: SentQuery): Promise<string[]> {
  const explained = await client.command({ explain: plain(sent), verbosity: 'executionStats' });
  const faults: string[] = [];
  visit(explained, one => {
    if (one.stage === 'COLLSCAN') faults.push('scans a whole collection');
    if (one.stage === 'SORT' || '$sort' in one) faults.push('sorts in memory');
    if (one.stage === 'EOF') faults.push('asks a collection that is not there');
    if (Number(one.collectionScans ?? 0) > 0) faults.push('scans a whole collection in a look-up');
  });
  return faults;
}

function plain({ command }: SentQuery): Document {
  const kept = Object.entries(command).filter(([field]) => !NOT_EXPLAINED.has(field));
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

/** Visits the plans that win; rejected ones do not run. */
function visit(value: unknown, see: (one: Document) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value);
  for (const [field, inner] of Object.entries(value)) {
    if (field !== 'rejectedPlans' && field !== 'command') visit(inner, see);
  }
}

/** Fields with one document for each value. */
const KEYS = ['_id', 'hash'];

/** Returns whether a limit, or a list of keys, bounds what a query returns or changes. */
export function isBounded({ name, command }: SentQuery): boolean {
  if (name === 'find') return (command.limit ?? 0) > 0 || byKeys(command.filter);
  if (name === 'findAndModify') return true;
  if (name === 'aggregate') return command.pipeline.some(isBound);
  if (name === 'update') {
    return command.updates.every((one: Document) => one.multi !== true || byKeys(one.q));
  }
  if (name === 'delete') {
    return command.deletes.every((one: Document) => one.limit === 1 || byKeys(one.q));
  }
  return false;
}

function isBound(stage: Document): boolean {
  return '$limit' in stage || ('$match' in stage && byKeys(stage.$match));
}

function byKeys(filter: Document = {}): boolean {
  return KEYS.some(key => {
    const value = filter[key];
    if (value === undefined || value === null) return false;
    const isRange =
      typeof value === 'object' && Object.keys(value).some(one => /^\$[gl]te?$/.test(one));
    return !isRange;
  });
}
