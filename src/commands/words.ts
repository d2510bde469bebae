// The words of a command, taken apart; bad ones are a UserError with the usage of the command.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../errors.ts';

type Parsed<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/** node:util explains what it did not expect; the usage says what it should have been. */
export function parseWords<T extends ParseArgsConfig>(config: T, usage: string): Parsed<T> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw usageError((error as Error).message, usage, error);
  }
}

export function usageError(message: string, usage: string, cause?: unknown): UserError {
  return new UserError(`${message}\nUsage:\n${usage}`, { cause });
}

/** The value of an option that may be given once: node:util would take the last of several without a word. */
export function once(
  values: string[] | undefined,
  option: string,
  usage: string,
): string | undefined {
  if (values === undefined || values.length === 1) return values?.[0];
  throw usageError(`Expected ${option} once, got it ${values.length} times`, usage);
}
