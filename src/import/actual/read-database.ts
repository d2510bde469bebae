// Reads the needed tables of an Actual Budget export from its db.sqlite.
import initSqlJs, { type Database, type SqlValue } from 'sql.js';
import { UserError } from '../../process/errors.ts';
import { shown } from '../../process/printable.ts';
import type { ImportProblems } from '../import-problems.ts';
import { ROWS_MAX } from '../plan.ts';
import { FILE_LIMITS, type NamedFile } from '../read-files.ts';

const COLUMNS = [
  'id',
  'acct',
  'amount',
  'buffered',
  'carryover',
  'cat_group',
  'category',
  'cleared',
  'closed',
  'date',
  'description',
  'goal_def',
  'hidden',
  'isChild',
  'isParent',
  'is_income',
  'month',
  'name',
  'note',
  'notes',
  'offbudget',
  'parent_id',
  'reconciled',
  'sort_order',
  'starting_balance_flag',
  'targetId',
  'tombstone',
  'transferId',
  'transfer_acct',
  'transferred_id',
  'value',
] as const;

type Column = (typeof COLUMNS)[number];

/** One row of a table. Columns that an older version of Actual lacks count as null. */
export interface TableEntry {
  readonly origin: string;
  readonly id: string;
  /** Returns null if the cell is null or empty. */
  text(column: Column): string | null;
  /** Returns 0 if the cell is null. */
  integer(column: Column): number;
  is(column: Column): boolean;
}

/** Returns the position that the person gave the entry. */
export function sortOrderOf(entry: TableEntry): number {
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
  Record<(typeof NEEDED)[number] | (typeof OPTIONAL)[number], readonly TableEntry[]>
>;

/**
 * Adds invalid values to `problems` when they are read.
 *
 * @param charactersMax of all texts together: a text that is a column's default is in the file only once
 * @throws UserError if the file is no such database, or a table has more than ROWS_MAX rows
 */
export async function readDatabase(
  file: NamedFile,
  problems: ImportProblems,
  charactersMax = FILE_LIMITS.fileBytesMax,
): Promise<Tables> {
  const { Database } = await initSqlJs();
  let database: Database | undefined;
  try {
    database = new Database(file.bytes);
    return tablesOf(database, { file: file.name, problems, charactersMax });
  } catch (error) {
    if (error instanceof UserError) throw error;
    const what = 'Expected a database of Actual Budget, got a file that is none, or a damaged one';
    throw new UserError(`${file.name}: ${what}`, { cause: error });
  } finally {
    database?.close();
  }
}

interface Reading {
  readonly file: string;
  readonly problems: ImportProblems;
  readonly charactersMax: number;
}

function tablesOf(database: Database, { file, problems, charactersMax }: Reading): Tables {
  const [found] = database.exec("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = found?.values.map(([name]) => name) ?? [];
  const missing = NEEDED.filter(name => !names.includes(name));
  if (missing.length > 0) {
    throw new UserError(
      `${file}: Expected a database of Actual Budget, got none of its tables ${missing.join(', ')}`,
    );
  }
  let characters = 0;
  const entries = (table: string): TableEntry[] => {
    if (!names.includes(table)) return [];
    const columns = columnsOf(database, table);
    const places = new Map(columns.map((column, place) => [column, place]));
    const rows: TableEntry[] = [];
    const quoted = columns.map(column => `"${column}"`).join(', ');
    const statement = database.prepare(`SELECT ${quoted} FROM ${table}`);
    while (statement.step()) {
      if (rows.length === ROWS_MAX) {
        throw new UserError(`${file} ${table}: Expected at most ${ROWS_MAX} rows, got more`);
      }
      const row = statement.get();
      for (const cell of row) if (typeof cell === 'string') characters += cell.length;
      if (characters > charactersMax) {
        throw new UserError(
          `${file} ${table}: Expected at most ${charactersMax} characters of text, got more`,
        );
      }
      rows.push(toEntry({ table: `${file} ${table}`, places, row, problems }));
    }
    return rows;
  };
  const tables = [...NEEDED, ...OPTIONAL].map(table => [table, entries(table)]);
  return Object.fromEntries(tables) as Tables;
}

/** Leaves out columns that nothing reads, and those that the database computes, which have any size. */
function columnsOf(database: Database, table: string): Column[] {
  const [found] = database.exec(`SELECT name FROM pragma_table_info('${table}')`);
  const names = found?.values.map(([name]) => name) ?? [];
  return COLUMNS.filter(column => names.includes(column));
}

interface TableRow {
  readonly table: string;
  /** Index of each column in `row`. */
  readonly places: ReadonlyMap<Column, number>;
  readonly row: readonly SqlValue[];
  readonly problems: ImportProblems;
}

function toEntry({ table, places, row, problems }: TableRow): TableEntry {
  const cell = (column: Column): string | number | null => {
    const value = row[places.get(column) ?? -1] ?? null;
    if (typeof value !== 'object' || value === null) return value;
    problems.add(table, `Expected ${column} to be text or a number, got ${value.length} bytes`);
    return null;
  };
  const id = String(cell('id'));
  const origin = `${table} ${id}`;
  const integer = (column: Column): number => {
    const value = cell(column) ?? 0;
    if (Number.isSafeInteger(value)) return value as number;
    const got = typeof value === 'string' ? shown(value) : value;
    problems.add(origin, `Expected ${column} to be an integer, got ${got}`);
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
