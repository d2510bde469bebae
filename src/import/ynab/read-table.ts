// Reads one CSV file of a YNAB export into lines with named cells.
import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { UserError } from '../../process/errors.ts';
import { checkTableSize } from '../bounded.ts';
import type { NamedFile } from '../read-files.ts';

export type TableLine<C extends string> = Readonly<Record<C, string>> & {
  readonly origin: string;
};

/** Older exports write characters beyond the Basic Multilingual Plane as two surrogates, each in UTF-8 (CESU-8). */
const SURROGATE_PAIRS = /\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]/g;
/** Current names of columns, by their former names. */
const RENAMED: Readonly<Record<string, string>> = { Budgeted: 'Assigned' };

/** @throws UserError if the file is no CSV in UTF-8, lacks a column, or is too large */
export function readTable<C extends string>(
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
  return columns.map(column => [column, got.indexOf(column)] as const);
}

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
    parse(bytes, { bom: true, delimiter, skip_empty_lines: true, on_record: onRecord });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = typeof error.lines === 'number' ? ` line ${error.lines}` : '';
    throw new UserError(`${name}${at}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: CsvError): string {
  switch (error.code) {
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'Expected a separator after a closing quotation mark, got more text';
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'Expected a closing quotation mark, got the end of the file';
    case 'INVALID_OPENING_QUOTE':
      return 'Expected a quotation mark at the beginning of a cell only, got one within text';
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
