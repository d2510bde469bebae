// Errors that a person caused and can mend, and what the errors of the system say.

/**
 * Bad input, configuration or state of the machine. The message says what was expected, what came, what to do;
 * the command line prints it alone, without a stack.
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

/** The code of a system error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}

/** The error of a file operation says that the file (or its folder) is not there. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
