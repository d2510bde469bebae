// The audit trail: one structured log line for each sign-in, each change of a token and each operator's command that
// changes something. It says who and when, and contains no secret.
import { userInfo } from 'node:os';
import type { Log } from './log.ts';

export type AuditAction =
  | 'signed in'
  | 'sign-in refused'
  | 'signed out'
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

/** Commands that change something, by name; those with actions list the ones that do. */
const CHANGING: Readonly<Record<string, readonly string[] | null>> = {
  append: null,
  import: null,
  budget: ['delete'],
  token: ['issue', 'revoke'],
  'sign-in': null,
  parked: ['retry', 'skip', 'resume'],
  rebuild: null,
  rollback: null,
};
/** Options whose values are ids; all other values are left out. */
const ID_OPTIONS = ['--user', '--space', '--budget', '--into'];
/** Actions whose argument is an id, not a file. */
const ID_ACTIONS = ['budget delete', 'token revoke', 'parked retry', 'parked skip'];
const ID = /^[A-Za-z0-9_.:~-]{1,128}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What a token or a link contains. */
const SECRET = /[A-Za-z0-9_-]{30}/;

/** Returns what the audit trail shows of a command line; null for a command that changes nothing. */
export function auditedCommand(name: string, args: readonly string[]): AuditFacts | null {
  if (!Object.hasOwn(CHANGING, name)) return null;
  const actions = CHANGING[name] ?? null;
  const [action = ''] = args;
  if (actions !== null && !actions.includes(action)) return null;
  if (name === 'append' && args.includes('--check')) return null;
  if (name === 'import' && args.includes('--dry-run')) return null;
  const command = actions === null ? name : `${name} ${action}`;
  const options = ID_OPTIONS.flatMap(option => {
    const values = valuesOf(args, option);
    return values.length === 0 ? [] : [[option.slice(2), values] as const];
  });
  const flags = args.filter(arg => ['--missing', '--abandon'].includes(arg));
  const of = args.slice(1).find(arg => !arg.startsWith('-'));
  return {
    command: [command, ...flags].join(' '),
    ...(ID_ACTIONS.includes(command) && of !== undefined && { of: shown(of) }),
    ...Object.fromEntries(options),
    by: operatorName(),
  };
}

function valuesOf(args: readonly string[], option: string): string[] {
  return args.flatMap((arg, index) => {
    if (arg === option) return shown(args[index + 1] ?? '');
    return arg.startsWith(`${option}=`) ? shown(arg.slice(option.length + 1)) : [];
  });
}

/** A person may paste a secret where an id belongs. */
function shown(value: string): string {
  const isId = ID.test(value) && (UUID.test(value) || !SECRET.test(value));
  return isId ? value : '(left out)';
}

/** Who runs the command; behind sudo also who called it. */
function operatorName(): string {
  const { SUDO_USER } = process.env;
  let name = 'unknown';
  try {
    name = userInfo().username;
  } catch {
    // A container may run under a number that has no account.
    name = `uid ${process.getuid?.() ?? '?'}`;
  }
  return SUDO_USER ? `${SUDO_USER} as ${name}` : name;
}
