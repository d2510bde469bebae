// Reads one CSV file of a YNAB export into lines with named cells.
import { CsvError, parse } from 'csv-parse/sync';
import { UserError } from '../../errors.ts';
import { ROWS_MAX } from '../plan.ts';
import type { NamedFile } from '../read-files.ts';

export type TableLine<C extends string> = Readonly<Record<C, string>> & {
  readonly origin: string;
};

/** Older exports write characters beyond the Basic Multilingual Plane as two surrogates, each in UTF-8 (CESU-8). */
const SURROGATE_PAIRS = /\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]/g;
/** Current names of columns, by their former names. */
const RENAMED: Readonly<Record<string, string>> = { Budgeted: 'Assigned' };

/** @throws UserError if the file is no CSV in UTF-8, lacks a column, or has more than ROWS_MAX lines */
export function readTable<C extends string>(
  { name, bytes }: NamedFile,
  columns: readonly C[],
): TableLine<C>[] {
  const text = decode(name, bytes);
  const header = text.slice(0, text.indexOf('\n'));
  const [first, ...rest] = parseCsv(name, text, header.includes('\t') ? '\t' : ',');
  const got = (first?.record ?? []).map(column => RENAMED[column] ?? column);
  const missing = columns.filter(column => !got.includes(column));
  if (missing.length > 0) {
    throw new UserError(
      `${name} line 1: Expected the columns ${columns.join(', ')}, got none named ${missing.join(', ')}`,
    );
  }
  if (rest.length > ROWS_MAX) {
    throw new UserError(`${name}: Expected at most ${ROWS_MAX} lines, got ${rest.length}`);
  }
  const places = columns.map(column => [column, got.indexOf(column)] as const);
  return rest.map(({ record, line }) => {
    const cells = places.map(([column, place]) => [column, record[place] ?? '']);
    return { ...Object.fromEntries(cells), origin: `${name} line ${line}` };
  });
}

interface Parsed {
  readonly record: readonly string[];
  /** The line that the record ends on, from 1. */
  readonly line: number;
}

function parseCsv(name: string, text: string, delimiter: string): Parsed[] {
  const parsed: Parsed[] = [];
  // Returning null makes the parser drop the record, so that only this copy with its line is kept.
  const keep = (record: string[], { lines: line }: { readonly lines: number }) => {
    parsed.push({ record, line });
    return null;
  };
  try {
    parse(text, { bom: true, delimiter, skip_empty_lines: true, on_record: keep });
    return parsed;
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

function decode(name: string, bytes: Buffer): string {
  const whole = bytes
    .toString('latin1')
    .replaceAll(SURROGATE_PAIRS, pair => Buffer.from(joinSurrogates(pair)).toString('latin1'));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(whole, 'latin1'));
  } catch (error) {
    throw new UserError(`${name}: Expected text in UTF-8, got other bytes`, { cause: error });
  }
}

function joinSurrogates(pair: string): string {
  const surrogate = (at: number) =>
    0xd000 | ((pair.charCodeAt(at) & 0x3f) << 6) | (pair.charCodeAt(at + 1) & 0x3f);
  return String.fromCharCode(surrogate(1), surrogate(4));
}
