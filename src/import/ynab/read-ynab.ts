// Reads Register.csv and Plan.csv of a YNAB export: CSV into lines with named cells, then their amounts, dates and months.
import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import type { Hundredths } from '../../../projections/documents.ts';
import { UserError } from '../../process/errors.ts';
import { shown } from '../../process/printable.ts';
import { checkTableSize } from '../bounded.ts';
import { createImportProblems, type ImportProblems } from '../import-problems.ts';
import type { NamedFile } from '../read-files.ts';
import {
  type AmountFormat,
  type DateOrder,
  detectAmounts,
  detectDateOrder,
  readAmount,
  readDate,
  readMonth,
  WHOLE_DIGITS_MAX,
} from './amounts-and-dates.ts';

const CATEGORY = ['Category Group', 'Category'] as const;
const REGISTER = [
  'Account',
  'Flag',
  'Date',
  'Payee',
  'Memo',
  'Outflow',
  'Inflow',
  'Cleared',
] as const;
const PLAN = ['Month', 'Assigned', 'Activity'] as const;
/** Older exports write characters beyond the Basic Multilingual Plane as two surrogates, each in UTF-8 (CESU-8). */
const SURROGATE_PAIRS = /\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]/g;
/** Current names of columns, by their former names. */
const RENAMED: Readonly<Record<string, string>> = { Budgeted: 'Assigned' };

interface InCategory {
  readonly origin: string;
  /** Empty, like `category`, if the row has no category. */
  readonly group: string;
  readonly category: string;
}

export interface RegisterRow extends InCategory {
  readonly account: string;
  readonly flag: string;
  readonly date: string;
  readonly payee: string;
  readonly memo: string;
  readonly amount: Hundredths;
  readonly cleared: string;
}

export interface PlanLine extends InCategory {
  readonly month: string;
  readonly assigned: Hundredths;
  readonly activity: Hundredths;
}

export interface YnabExport {
  readonly dateOrder: DateOrder;
  /** In the order of the register. */
  readonly rows: readonly RegisterRow[];
  readonly lines: readonly PlanLine[];
}

type TableLine<C extends string> = Readonly<Record<C, string>> & {
  readonly origin: string;
};

/** @throws UserError that lists all values that could not be parsed */
export function readYnab(
  register: NamedFile,
  plan: NamedFile,
  dateOrder: DateOrder | null,
): YnabExport {
  const rows = readTable(register, [...REGISTER, ...CATEGORY]);
  const lines = readTable(plan, [...PLAN, ...CATEGORY]);
  const problems = createImportProblems();
  const order = dateOrder ?? detectDateOrder(rows.map(({ Date: date }) => date));
  if (order === null) {
    const got = `dates such as ${shown(rows[0]?.Date ?? '')}, which could be read either way`;
    problems.add(register.name, `Expected --date-format DMY or MDY, got none and ${got}`);
  }
  problems.throwIfAny();
  const known = order ?? 'YMD';
  const texts = [
    ...rows.flatMap(({ Outflow, Inflow }) => [Outflow, Inflow]),
    ...lines.flatMap(({ Assigned, Activity }) => [Assigned, Activity]),
  ];
  const parser = createParser(detectAmounts(texts), known, problems);
  const result = { dateOrder: known, rows: rows.map(parser.row), lines: lines.map(parser.line) };
  problems.throwIfAny();
  return result;
}

function createParser(format: AmountFormat, order: DateOrder, problems: ImportProblems) {
  const amount = (origin: string, text: string): Hundredths => {
    const parsed = readAmount(text, format);
    if (parsed === null)
      problems.add(origin, `Expected ${describeFormat(format)}, got ${shown(text)}`);
    return parsed ?? 0;
  };
  const inCategory = (line: TableLine<'Category Group' | 'Category'>) => ({
    origin: line.origin,
    group: line['Category Group'],
    category: line.Category,
  });
  return {
    row(line: TableLine<(typeof REGISTER)[number] | (typeof CATEGORY)[number]>): RegisterRow {
      const date = readDate(line.Date, order);
      const dates =
        order === 'YMD' ? 'YYYY-MM-DD' : { DMY: 'DD/MM/YYYY', MDY: 'MM/DD/YYYY' }[order];
      if (date === null) {
        problems.add(line.origin, `Expected a date like ${dates}, got ${shown(line.Date)}`);
      }
      return {
        ...inCategory(line),
        account: line.Account,
        flag: line.Flag,
        date: date ?? '',
        payee: line.Payee,
        memo: line.Memo,
        amount: amount(line.origin, line.Inflow) - amount(line.origin, line.Outflow),
        cleared: line.Cleared,
      };
    },
    line(line: TableLine<(typeof PLAN)[number] | (typeof CATEGORY)[number]>): PlanLine {
      const month = readMonth(line.Month);
      if (month === null) {
        problems.add(line.origin, `Expected a month like Jan 2026, got ${shown(line.Month)}`);
      }
      return {
        ...inCategory(line),
        month: month ?? '',
        assigned: amount(line.origin, line.Assigned),
        activity: amount(line.origin, line.Activity),
      };
    },
  };
}

function describeFormat({ mark, decimals }: AmountFormat): string {
  if (decimals === 0)
    return `a whole amount of at most ${WHOLE_DIGITS_MAX} digits, as the rest of the export has`;
  const last = decimals === 3 ? ', the last of them 0' : '';
  return `an amount with at most ${WHOLE_DIGITS_MAX} digits before "${mark}" and ${decimals} after it${last}, as the rest of the export has`;
}

/** @throws UserError if the file is no CSV in UTF-8, lacks a column, or is too large */
function readTable<C extends string>(
  { name, bytes }: NamedFile,
  columns: readonly C[],
): TableLine<C>[] {
  const table = { name, bytes: inUtf8(name, bytes) };
  const delimiter = table.bytes.subarray(0, table.bytes.indexOf('\n')).includes('\t') ? '\t' : ',';
  checkTableSize(table, delimiter);
  let places: (readonly [C, number])[] | null = null;
  const lines: TableLine<C>[] = [];
  parseCsv(table, delimiter, (record, line) => {
    if (places === null) {
      places = placesOf(name, record, columns);
      return;
    }
    const cells = places.map(([column, place]) => [column, record[place] ?? '']);
    lines.push({ ...Object.fromEntries(cells), origin: `${name} line ${line}` });
  });
  if (places === null) placesOf(name, [], columns);
  return lines;
}

/** Returns the index of each column. */
function placesOf<C extends string>(
  name: string,
  header: readonly string[],
  columns: readonly C[],
): (readonly [C, number])[] {
  const got = header.map(column => RENAMED[column] ?? column);
  const missing = columns.filter(column => !got.includes(column));
  if (missing.length > 0) {
    throw new UserError(
      `${name} line 1: Expected the columns ${columns.join(', ')}, got none named ${missing.join(', ')}`,
    );
  }
  const double = columns.find(column => got.indexOf(column) !== got.lastIndexOf(column));
  if (double !== undefined) {
    throw new UserError(`${name} line 1: Expected one column named ${double}, got several`);
  }
  return columns.map(column => [column, got.indexOf(column)] as const);
}

/** Of a line. An event has fewer, whatever its names and memos are. */
const CHARACTERS_MAX = 1_000_000;
const CSV = { bom: true, skip_empty_lines: true, max_record_size: CHARACTERS_MAX };

/** @param each takes each record, and the line that it ends on, from 1 */
function parseCsv(
  { name, bytes }: NamedFile,
  delimiter: string,
  each: (record: readonly string[], line: number) => void,
): void {
  // Returning null makes the parser drop the record.
  const onRecord = (record: string[], { lines }: { readonly lines: number }) => {
    each(record, lines);
    return null;
  };
  try {
    parse(bytes, { ...CSV, delimiter, on_record: onRecord });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = typeof error.lines === 'number' ? ` line ${error.lines}` : '';
    throw new UserError(`${name}${at}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: CsvError): string {
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'Expected a comma or a tab after a closing quotation mark, got more text';
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'Expected a closing quotation mark, got the end of the file';
    case 'INVALID_OPENING_QUOTE':
      return 'Expected a quotation mark at the beginning of a cell only, got one within text';
    case 'CSV_MAX_RECORD_SIZE':
      return `Expected at most ${CHARACTERS_MAX} characters in a line, got more`;
    case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
      return 'Expected as many cells as in the first line, got another number';
    default:
      return 'Expected a line of a table, got other text';
  }
}

function inUtf8(name: string, bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes;
  const whole = bytes
    .toString('latin1')
    .replaceAll(SURROGATE_PAIRS, pair => Buffer.from(joinSurrogates(pair)).toString('latin1'));
  const joined = Buffer.from(whole, 'latin1');
  if (isUtf8(joined)) return joined;
  throw new UserError(`${name}: Expected text in UTF-8, got other bytes`);
}

function joinSurrogates(pair: string): string {
  const surrogate = (at: number) =>
    0xd000 | ((pair.charCodeAt(at) & 0x3f) << 6) | (pair.charCodeAt(at + 1) & 0x3f);
  return String.fromCharCode(surrogate(1), surrogate(4));
}
