// The process log: one JSON object per line on standard error, because standard output is for results.
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** @param destination standard error by default */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => describeError(error, CAUSES_MAX) },
    },
    destination ?? pino.destination(2),
  );
}

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
function describeError(error: unknown, causesMax: number): unknown {
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
    ...(cause !== undefined && causesMax > 0 && { cause: describeError(cause, causesMax - 1) }),
  };
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
