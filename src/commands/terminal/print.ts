// Prints results to standard output, and problems to standard error. Control characters in what they quote stay text.
import { fstatSync, writeSync } from 'node:fs';
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

/** Resolves when all that was printed has gone out, or is lost. */
export function outputWritten(): Promise<void> {
  return new Promise(resolve => {
    process.stdout.write('', () => resolve());
  });
}

/**
 * Makes standard output write all of a line into a file or fail. Where a disk becomes full in the midst of a line the system
 * takes a part of it, and Node takes that for the whole.
 */
export function writeWholeFiles(): void {
  if (!fstatSync(1).isFile()) return;
  process.stdout._write = (chunk, _encoding, done) => {
    let rest: Buffer = Buffer.from(chunk);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(1, rest));
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

/** Prints for people: a line that is very long, as a value of an event may be, is cut. */
export function printLine(line: string): void {
  print(withShortLines(line));
}

/** Returns how a command prints: JSON as it is, lines for people cut. */
export function printFor({ json }: { readonly json?: unknown }): (line: string) => void {
  return json ? print : printLine;
}

/** Who signs in at the address of a server: it may stand in the wrong variable, whose value a message quotes. */
const SIGN_IN = /(?<=:\/\/)[^\s/"]*@/g;

/** A very long line is cut. Passwords within addresses are left out. */
export function printError(message: string): void {
  const shown = message.replaceAll(SIGN_IN, '(not shown)@');
  process.stderr.write(`${printable(withShortLines(shown))}\n`);
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
