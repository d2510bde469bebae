// The process log: one JSON object per line on standard error, because standard output is for results. The audit trail is
// a part of it: one structured line for each sign-in, each change of a token and each operator's command that changes
// something. It says who and when, and contains no secret.
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { errorFields } from './describe-error.ts';
import { standardError } from './log-sink.ts';

export type Logger = PinoLogger;

/** @param destination standard error by default */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields },
    },
    destination ?? standardError(droppedLine),
  );
}

/** A line like those of pino, because it stands in for others that had no room. */
function droppedLine(count: number): string {
  const time = new Date().toISOString();
  const msg = `${count} lines of the log were dropped: it could not be written`;
  return `${JSON.stringify({ level: pino.levels.values.warn, time, msg })}\n`;
}

export type AuditAction =
  | 'signed in'
  | 'sign-in refused'
  | 'signed out'
  | 'signed out everywhere'
  | 'token made'
  | 'token revoked'
  | 'command';

/** Ids and words only: no name, no memo, no secret. */
export interface AuditFacts {
  /** The user's id; for a command, the account of the operating system. */
  readonly by?: string;
  readonly requestId?: string;
  readonly [fact: string]: string | readonly string[] | null | undefined;
}

export function audit(logger: Logger, action: AuditAction, facts: AuditFacts): void {
  logger.info({ audit: action, ...facts }, 'audit');
}
