// The tables of an Actual Budget export that are read, as they lie in its db.sqlite.
import initSqlJs, { type Database, type SqlValue } from 'sql.js';
import { UserError } from '../../errors.ts';
import { ROWS_MAX } from '../plan.ts';
import type { Problems } from '../problems.ts';
import type { NamedFile } from '../read-files.ts';

/** One row of a table; columns that an older version of Actual did not have read as null. */
export interface Entry {
  readonly origin: string;
  readonly id: string;
  /** Null where it is null or empty. */
  text(column: string): string | null;
  /** 0 where it is null. */
  integer(column: string): number;
  is(column: string): boolean;
}

/** By the place that a person gave it. */
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
/** Absent in databases that are older than what they hold. */
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

/** @throws UserError where it is no such database; values that do not fit become problems when they are read */
export async function readDatabase(file: NamedFile, problems: Problems): Promise<Tables> {
  const { Database } = await initSqlJs();
  let database: Database | undefined;
  try {
    database = new Database(file.bytes);
    return tablesOf(database, file.name, problems);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${file.name}: ${(error as Error).message}`, { cause: error });
  } finally {
    database?.close();
  }
}

function tablesOf(database: Database, file: string, problems: Problems): Tables {
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
    return values.map(row => entryOf(`${file} ${table}`, places, row, problems));
  };
  const tables = [...NEEDED, ...OPTIONAL].map(table => [table, entries(table)]);
  return Object.fromEntries(tables) as Tables;
}

function entryOf(
  table: string,
  places: ReadonlyMap<string, number>,
  row: readonly SqlValue[],
  problems: Problems,
): Entry {
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
