// What the audit trail shows of a command line (docs/security.md).
import { userInfo } from 'node:os';
import type { AuditFacts } from '../../process/audit.ts';
import type { GivenValues } from '../syntax/command-syntax.ts';
import type { CommandName, Invocation } from '../syntax/parse-command.ts';

/** The commands that change something. */
const CHANGING: readonly CommandName[] = [
  'append',
  'import ynab',
  'import actual',
  'budget delete',
  'token issue',
  'token revoke',
  'sign-in',
  'parked retry',
  'parked skip',
  'parked resume',
  'rebuild',
  'rollback',
];
/** Options whose values are ids; all other values are left out. */
const ID_OPTIONS = ['user', 'space', 'budget', 'into'];
/** Commands whose operand is an id, not a file. */
const OF_ID: readonly CommandName[] = [
  'budget delete',
  'token revoke',
  'parked retry',
  'parked skip',
];
const FLAGS = ['missing', 'abandon'];
const ID = /^[A-Za-z0-9_.:~-]{1,128}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What a token or a link contains. */
const SECRET = /[A-Za-z0-9_-]{30}/;

/** Returns null for a command that changes nothing. */
export function auditedCommand({
  name,
  values: given,
  operands: [of],
}: Invocation): AuditFacts | null {
  const values: GivenValues = given;
  const changes = CHANGING.includes(name) && !values.check && !values['dry-run'];
  if (!changes) return null;
  const flags = FLAGS.filter(flag => values[flag] === true).map(flag => `--${flag}`);
  const ids = ID_OPTIONS.flatMap(option => {
    const texts = [values[option] ?? []].flat().filter(one => typeof one === 'string');
    return texts.length === 0 ? [] : [[option, texts.map(shown)] as const];
  });
  return {
    command: [name, ...flags].join(' '),
    ...(OF_ID.includes(name) && of !== undefined && { of: shown(of) }),
    ...Object.fromEntries(ids),
    by: operatorName(),
  };
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
