// Errors that a person can fix, and codes of system errors.

/**
 * Invalid input, configuration or machine state. The message says what was expected, what was found and what to do;
 * the command line prints it without a stack.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Exit code of the process: 2 for bad configuration, 1 otherwise. */
  readonly exitCode: number;

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}

/** Exit code of commands that find the log damaged. */
export const DAMAGED_EXIT_CODE = 3;
const DAMAGED = 'The log is damaged: do not rebuild from it, see DATA_LOSS in docs/operations.md';

/** @param found what is damaged, where the command has not said it yet */
export function damagedLog(found: string | null, cause?: unknown): UserError {
  const message = found === null ? DAMAGED : `${found}\n${DAMAGED}`;
  return new UserError(message, { cause, exitCode: DAMAGED_EXIT_CODE });
}

/** A command has ended while work that it recorded goes on without it: what waits for that work must not follow yet. */
export class UnfinishedError extends UserError {}

/** Returns the code of a system error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/** Returns the error of a file that the system does not let read, as a sentence; any other error as it is. */
export function unreadable(path: string, error: unknown): Error {
  const { message } = error as Error;
  const code = errorCode(error);
  if (code === undefined) return error as Error;
  if (code === 'EISDIR') {
    return new UserError(`Expected a file, got the folder ${path}`, { cause: error });
  }
  return new UserError(`Cannot read ${path}: ${message}`, { cause: error });
}

/** Returns whether a file operation failed because the file or its folder is missing. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** Returns the result of a file operation; null if the file or its folder is missing. */
export async function nullIfMissing<T>(operation: Promise<T>): Promise<T | null> {
  return await operation.catch(error => {
    if (isMissing(error)) return null;
    throw error;
  });
}
