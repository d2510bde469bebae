// What the audit trail shows of a command line (docs/security.md).
import { userInfo } from 'node:os';
import type { AuditFacts } from '../../process/log.ts';
import type { Command, Invocation } from '../syntax/command.ts';

const ID = /^[A-Za-z0-9_.:~-]{1,128}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What a token or a link contains. */
const SECRET = /[A-Za-z0-9_-]{30}/;

/** Returns null for an invocation that changes nothing. */
export function auditedCommand(
  { name, audit }: Command,
  { values, operands: [of] }: Invocation,
): AuditFacts | null {
  if (!audit || (audit.unless !== undefined && values[audit.unless])) return null;
  const flags = audit.flags?.filter(flag => values[flag] === true).map(flag => `--${flag}`) ?? [];
  const ids = (audit.ids ?? []).flatMap(option => {
    const texts = [values[option] ?? []].flat().filter(one => typeof one === 'string');
    return texts.length === 0 ? [] : [[option, texts.map(shown)] as const];
  });
  return {
    command: [name, ...flags].join(' '),
    ...(audit.operand && of !== undefined && { of: shown(of) }),
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
