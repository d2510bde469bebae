// The database that the recipe's sync.py keeps.
import { readFile, writeFile } from 'node:fs/promises';
import initSqlJs, { type Database } from 'sql.js';
import type { Copy } from '../system/sync-client.ts';

const LISTS = {
  account: 'accounts',
  categoryGroup: 'categoryGroups',
  category: 'categories',
  payee: 'payees',
  label: 'labels',
  transaction: 'transactions',
} as const;

type Row = readonly (string | number | null)[];

/** Opens the file, and stores it again if `change` asks for it. */
async function withDatabase<T>(path: string, work: (database: Database) => T): Promise<T> {
  const SQL = await initSqlJs();
  const database = new SQL.Database(await readFile(path));
  try {
    const result = work(database);
    await writeFile(path, database.export());
    return result;
  } finally {
    database.close();
  }
}

export function rowsOf(path: string, sql: string): Promise<Row[]> {
  return withDatabase(path, database => database.exec(sql)[0]?.values as Row[]);
}

/** Makes the copy one of another log: with its cursor, and with a payee that only that log has. */
export function replaceLog(path: string, cursor: string): Promise<void> {
  return withDatabase(path, database => {
    database.run('UPDATE place SET cursor = ?', [cursor]);
    database.run("INSERT INTO things VALUES ('payee', 'stranger', '{}')");
  });
}

/** Returns the copy in the form in which the lists of the API are compared. */
export async function copyIn(path: string): Promise<Copy> {
  const rows = await rowsOf(path, 'SELECT kind, id, data FROM things ORDER BY id');
  const copy: Record<string, Record<string, unknown>> = {};
  for (const list of Object.values(LISTS)) copy[list] = {};
  for (const [kind, id, data] of rows) {
    const things = copy[LISTS[kind as keyof typeof LISTS]];
    if (things) things[`id ${id}`] = JSON.parse(String(data));
  }
  return copy as Copy;
}
