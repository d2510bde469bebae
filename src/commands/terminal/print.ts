// Prints results to standard output, and problems to standard error. Control characters in what they quote stay text.
import { printable, withShortLines } from '../../process/printable.ts';

export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Prints for people: a line that is very long, as a value of an event may be, is cut. */
export function printLine(line: string): void {
  print(withShortLines(line));
}

/** A very long line is cut. */
export function printError(message: string): void {
  process.stderr.write(`${printable(withShortLines(message))}\n`);
}
