// Runs a command on what it opens: reads the configuration, and writes a line of the audit trail if it changes something.
import { userInfo } from 'node:os';
import { type Config, loadConfig } from '../../process/config.ts';
import { UnfinishedError, UserError } from '../../process/errors.ts';
import { type AuditFacts, audit, createLogger, type Logger } from '../../process/log.ts';
import { stopSignal } from '../../process/stopping.ts';
import type { Command, Invocation, Opening } from '../syntax/command.ts';
import { print } from '../terminal/print.ts';

/**
 * A supervisor such as Docker kills a process 10 s after asking it to stop, so stopping ends before that, also on a busy
 * machine.
 */
const STOP_MS_MAX = 8000;

export interface ProcessContext {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly logger: Logger;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  /** Aborted to stop the process; also aborted when a part fails. */
  readonly stopping: AbortController;
  /** Adds what closes an opened part; the part that was opened last is closed first. */
  readonly closing: (close: () => Promise<unknown>) => void;
}

/** The part of a command that runs with a configuration. */
type Opened = Command & Required<Pick<Command, 'opens'>>;

export async function runOpened(
  command: Opened,
  invocation: Invocation,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const config = loadConfig(env);
  const facts = auditedCommand(command, invocation);
  let noted: AuditFacts = {};
  const write = (outcome: string) => {
    if (facts === null) return;
    // Nobody collects the lines of a person's own machine. Written at once, so that the line stands before an error's.
    const { logLevel } = config.mongodbUrl === null ? quietly(config, env) : config;
    audit(createLogger(logLevel, process.stderr), 'command', { ...facts, ...noted, outcome });
  };
  const note = (more: AuditFacts) => {
    noted = { ...noted, ...more };
  };
  const environment = { config, env, note, values: invocation.values, changes: facts !== null };
  try {
    await command.opens(environment, context => command.run(invocation, context));
  } catch (error) {
    if (error instanceof UnfinishedError) write('unfinished');
    else if (!(error instanceof UserError) || error.exitCode !== 2) write('failed');
    throw error;
  }
  write('done');
}

// On a person's own machine a line per request would bury the addresses, so only warnings are logged by default.
function quietly(config: Config, env: NodeJS.ProcessEnv): Config {
  return env.LOG_LEVEL ? config : { ...config, logLevel: 'warn' };
}

export const openService: Opening<ProcessContext> = async ({ config, env }, run) => {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    await run({
      config,
      env,
      print,
      logger: createLogger(config.logLevel),
      isTerminal: process.stdout.isTTY === true,
      stopping: stopSignal(print, STOP_MS_MAX),
      closing: close => closers.unshift(close),
    });
  } finally {
    await closeAll(closers);
  }
};

/** One that fails keeps no other from closing. */
async function closeAll([first, ...rest]: readonly (() => Promise<unknown>)[]): Promise<void> {
  try {
    await first?.();
  } finally {
    if (rest.length > 0) await closeAll(rest);
  }
}

export const openOwnService: Opening<ProcessContext> = (environment, run) =>
  openService({ ...environment, config: quietly(environment.config, environment.env) }, run);

const ID = /^[A-Za-z0-9_.:~-]{1,128}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** An id that an import makes. */
const IMPORTED = /^(ynab|actual|space)-[0-9a-f]{32}$/;
/** What a token or a link contains. */
const SECRET = /[A-Za-z0-9_-]{30}/;

/** Returns what the audit trail shows of a command line (docs/security.md); null for one that changes nothing. */
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
  const isOurs = UUID.test(value) || IMPORTED.test(value);
  const isId = ID.test(value) && (isOurs || !SECRET.test(value));
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
