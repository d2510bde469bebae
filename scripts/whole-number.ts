// A number on the command line of a script.
import { UserError } from '../src/process/errors.ts';

/** @throws UserError that names the option */
export function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UserError(`Expected --${option} to be a whole number, got ${text}`);
}
