// The process log: one JSON object a line on standard error, so that standard output stays for results.
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

const CAUSES_MAX = 5;

/**
 * What of an error is logged: never its further fields. In those the database's errors carry what was to be written,
 * whole documents with somebody's words in them; and a parser's message quotes the text.
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
