// What the log and the command line say of an error that nobody expected.

/** Deeper causes of an error are left out. */
const CAUSES_MAX = 5;

/** Returns an error in one line, without its stack, for failures that say nothing about this program. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return `${error.name}: ${error instanceof SyntaxError ? 'Unexpected text' : error.message}`;
}

/**
 * Returns the loggable part of an error. Leaves out all other fields, because errors of the database contain whole
 * documents with personal text, and the message of a SyntaxError, because it quotes the text.
 */
export function errorFields(error: unknown, causesMax = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name: type, cause } = error;
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  const message = error instanceof SyntaxError ? 'Unexpected text' : error.message;
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  return {
    type,
    message,
    ...(isPlain(code) && { code }),
    ...(isPlain(codeName) && { codeName }),
    stack: [`${type}: ${message}`, ...frames].join('\n'),
    ...(cause !== undefined && causesMax > 0 && { cause: errorFields(cause, causesMax - 1) }),
  };
}

/**
 * Returns the line that the log would have for an error that ends the process. Written without the library of the log:
 * the last line must not wait for a file to be loaded, and a command that only prints never loads it.
 */
export function fatalLine(error: unknown, now: Date): string {
  const err = errorFields(error);
  const msg = 'Stopped by an error that nobody expected';
  return JSON.stringify({ level: 60, time: now.toISOString(), err, msg });
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
