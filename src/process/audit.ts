// The audit trail: one structured log line for each sign-in, each change of a token and each operator's command that
// changes something. It says who and when, and contains no secret.
import type { Log } from './log.ts';

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

export function audit(logger: Log, action: AuditAction, facts: AuditFacts): void {
  logger.info({ audit: action, ...facts }, 'audit');
}
