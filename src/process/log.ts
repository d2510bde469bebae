// The process log: one JSON object per line on standard error, because standard output is for results.
import { type DestinationStream, type Logger, pino } from 'pino';
import { errorFields } from './describe-error.ts';

export type Log = Logger;

/** @param destination standard error by default */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields },
    },
    destination ?? pino.destination(2),
  );
}
