// Reads the needed tables of an Actual Budget export from its db.sqlite.
import initSqlJs, { type Database, type SqlValue } from 'sql.js';
import { UserError } from '../../errors.ts';
import type { ImportProblems } from '../import-problems.ts';
import { ROWS_MAX } from '../plan.ts';
import type { NamedFile } from '../read-files.ts';

/** One row of a table. Columns that an older version of Actual lacks count as null. */
export interface Entry {
  readonly origin: string;
  readonly id: string;
  /** Returns null if the cell is null or empty. */
  text(column: string): string | null;
  /** Returns 0 if the cell is null. */
  integer(column: string): number;
  is(column: string): boolean;
}

/** Returns the position that the person gave the entry. */
export function sortOrderOf(entry: Entry): number {
  return Number(entry.text('sort_order') ?? 0);
}

const NEEDED = [
  'accounts',
  'categories',
  'category_groups',
  'category_mapping',
  'payees',
  'payee_mapping',
  'transactions',
  'zero_budgets',
] as const;
/** Missing in databases of older versions of Actual. */
const OPTIONAL = [
  'zero_budget_months',
  'reflect_budgets',
  'notes',
  'preferences',
  'rules',
  'schedules',
] as const;

export type Tables = Readonly<
  Record<(typeof NEEDED)[number] | (typeof OPTIONAL)[number], readonly Entry[]>
>;

/**
 * Adds invalid values to `problems` when they are read.
 *
 * @throws UserError if the file is no such database, or a table has more than ROWS_MAX rows
 */
export async function readDatabase(file: NamedFile, problems: ImportProblems): Promise<Tables> {
  const { Database } = await initSqlJs();
  let database: Database | undefined;
  try {
    database = new Database(file.bytes);
    return tablesOf(database, file.name, problems);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const what = 'Expected a database of Actual Budget, got a file that is none, or a damaged one';
    throw new UserError(`${file.name}: ${what}`, { cause: error });
  } finally {
    database?.close();
  }
}

function tablesOf(database: Database, file: string, problems: ImportProblems): Tables {
  const [found] = database.exec("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = found?.values.map(([name]) => name) ?? [];
  const missing = NEEDED.filter(name => !names.includes(name));
  if (missing.length > 0) {
    throw new UserError(
      `${file}: Expected a database of Actual Budget, got none of its tables ${missing.join(', ')}`,
    );
  }
  const entries = (table: string): Entry[] => {
    const [result] = names.includes(table)
      ? database.exec(`SELECT * FROM ${table} LIMIT ${ROWS_MAX + 1}`)
      : [];
    const { columns, values } = result ?? { columns: [], values: [] };
    if (values.length > ROWS_MAX) {
      throw new UserError(`${file} ${table}: Expected at most ${ROWS_MAX} rows, got more`);
    }
    const places = new Map(columns.map((column, place) => [column, place]));
    return values.map(row => toEntry({ table: `${file} ${table}`, places, row, problems }));
  };
  const tables = [...NEEDED, ...OPTIONAL].map(table => [table, entries(table)]);
  return Object.fromEntries(tables) as Tables;
}

interface TableRow {
  readonly table: string;
  /** Index of each column in `row`. */
  readonly places: ReadonlyMap<string, number>;
  readonly row: readonly SqlValue[];
  readonly problems: ImportProblems;
}

function toEntry({ table, places, row, problems }: TableRow): Entry {
  const cell = (column: string) => row[places.get(column) ?? -1] ?? null;
  const id = String(cell('id'));
  const origin = `${table} ${id}`;
  const integer = (column: string): number => {
    const value = cell(column) ?? 0;
    if (Number.isSafeInteger(value)) return value as number;
    problems.add(origin, `Expected ${column} to be an integer, got ${value}`);
    return 0;
  };
  return {
    origin,
    id,
    text: column => String(cell(column) ?? '') || null,
    integer,
    is: column => integer(column) === 1,
  };
}
