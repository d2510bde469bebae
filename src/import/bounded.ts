// Counts what a text would become in memory before it is parsed: a small archive can hold millions of empty values.
import { UserError } from '../process/errors.ts';
import { ROWS_MAX } from './plan.ts';
import type { NamedFile } from './read-files.ts';

/** Most cells of a line; YNAB writes about a dozen. */
const CELLS_MAX = 100;
/** Most objects and lists of a JSON file: one for each row, and as many for its parts, months and categories. */
const GROUPS_MAX = 4 * ROWS_MAX;
/** Most values of a JSON file; YNAB writes about 20 for each transaction. */
const VALUES_MAX = 40 * ROWS_MAX;

const [LINE_FEED, CARRIAGE_RETURN, QUOTE, COMMA, BACKSLASH] = [0x0a, 0x0d, 0x22, 0x2c, 0x5c];
const OPENING = [0x5b, 0x7b];

/** @throws UserError if the table has more than ROWS_MAX lines below its first one, or more than 100 cells in a line */
export function checkTableSize({ name, bytes }: NamedFile, delimiter: string): void {
  const separator = delimiter.charCodeAt(0);
  let lines = 0;
  let cells = 0;
  let isQuoted = false;
  for (const byte of bytes) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    if (byte === LINE_FEED && !isQuoted) {
      cells = 0;
      continue;
    }
    if (byte === CARRIAGE_RETURN) continue;
    // An empty line has no cells, and is no line of the table.
    if (cells === 0) {
      lines += 1;
      cells = 1;
    }
    if (byte === separator && !isQuoted) cells += 1;
    if (cells > CELLS_MAX) {
      throw new UserError(`${name}: Expected at most ${CELLS_MAX} cells in a line, got more`);
    }
    if (lines > ROWS_MAX + 1) {
      throw new UserError(`${name}: Expected at most ${ROWS_MAX} lines, got more`);
    }
  }
}

/** @throws UserError if the text would become more objects, lists or values than any export of ROWS_MAX rows has */
export function checkJsonSize({ name, bytes }: NamedFile): void {
  let groups = 0;
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) isText = !isText;
    else if (isText && byte === BACKSLASH) at += 1;
    if (isText) continue;
    if (byte === COMMA) values += 1;
    if (OPENING.includes(byte)) groups += 1;
    if (groups > GROUPS_MAX) {
      throw new UserError(`${name}: Expected at most ${GROUPS_MAX} objects and lists, got more`);
    }
    if (values > VALUES_MAX) {
      throw new UserError(`${name}: Expected at most ${VALUES_MAX} values, got more`);
    }
  }
}
