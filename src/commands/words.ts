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
