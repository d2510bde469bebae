// Errors that a person caused and can mend: the command line prints their message alone, without a stack.

/** Bad input, configuration or state of the machine. The message says what was expected, what came, what to do. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Exit code of the process: 2 for bad configuration, 1 otherwise. */
  readonly exitCode: number;

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode ?? 1;
  }
}
