// The process log: one JSON object per line on standard error, because standard output is for results. The audit trail is
// a part of it: one structured line for each sign-in, each change of a token and each operator's command that changes
// something. It says who and when, and contains no secret.
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { errorFields } from './describe-error.ts';

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
    destination ?? standardError(),
  );
}

/** Of lines that were not written yet; further ones are dropped. A reader of the log that stands still fills no memory. */
const UNWRITTEN_BYTES_MAX = 10_000_000;

/** A process whose log cannot be written, as on a full disk, goes on; what fits is written once there is room. */
function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, maxLength: UNWRITTEN_BYTES_MAX });
  let isWritable = true;
  destination.on('error', () => {
    isWritable = false;
  });
  destination.on('write', () => {
    isWritable = true;
  });
  const flushSync = destination.flushSync.bind(destination);
  // Called as the process ends: it would try again for ever.
  destination.flushSync = () => {
    if (isWritable) flushSync();
  };
  return destination;
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
