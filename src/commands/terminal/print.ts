// Prints results to standard output, and problems to standard error. Control characters in what they quote stay text.
import { cell, printable, withShortLines } from '../../process/printable.ts';

export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Prints, and returns whether the line went out: the disk may be full, or nobody reads it. */
export function tryPrint(line: string): Promise<boolean> {
  return new Promise(resolve => {
    process.stdout.write(`${printable(line)}\n`, error => resolve(!error));
  });
}

/** Prints for people: a line that is very long, as a value of an event may be, is cut. */
export function printLine(line: string): void {
  print(withShortLines(line));
}

/** Returns how a command prints: JSON as it is, lines for people cut. */
export function printFor({ json }: { readonly json?: unknown }): (line: string) => void {
  return json ? print : printLine;
}

/** A very long line is cut. */
export function printError(message: string): void {
  process.stderr.write(`${printable(withShortLines(message))}\n`);
}

/** Returns the rows of a table as lines, one for each; each column is as wide as its longest cell. */
export function alignColumns(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map(row => row.map(cell));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => (row[column] ?? '').length)),
  );
  return rows.map(row =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Scripts and programs of npm that only a checkout has. */
const IN_CHECKOUT: readonly (string | undefined)[] = ['npx', 'start'];

/** Returns `npx budgeting` for a program that npx or `npm start` started, as in a checkout. */
export function programName(env: NodeJS.ProcessEnv): string {
  return IN_CHECKOUT.includes(env.npm_lifecycle_event) ? 'npx budgeting' : 'budgeting';
}
