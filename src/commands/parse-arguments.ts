// Parses the arguments of a command; invalid ones throw a UserError that shows the usage of the command.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../errors.ts';

type Parsed<T extends ParseArgsConfig> = ReturnType<typeof parseArgs<T>>;

/** @throws UserError with the complaint of node:util and the usage */
export function parseArguments<T extends ParseArgsConfig>(config: T, usage: string): Parsed<T> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw usageError((error as Error).message, usage, error);
  }
}

export function usageError(message: string, usage: string, cause?: unknown): UserError {
  return new UserError(`${message}\nUsage:\n${usage}`, { cause });
}

/**
 * Returns the value of an option that may be given at most once. node:util would silently take the last of several.
 *
 * @throws UserError when the option was given more than once
 */
export function singleValue(
  values: string[] | undefined,
  option: string,
  usage: string,
): string | undefined {
  if (values === undefined || values.length === 1) return values?.[0];
  throw usageError(`Expected ${option} once, got it ${values.length} times`, usage);
}
