// Runs the command that the command line names, and turns its errors into one clear line and an exit code.
import { type AuditFacts, audit, auditedCommand } from '../audit.ts';
import { type Config, describeConfig, loadConfig } from '../config.ts';
import { UserError } from '../errors.ts';
import { fileErrorLine } from '../file-errors.ts';
import { createLog } from '../log.ts';
import { stopSignal } from '../stopping.ts';
import { print } from './print.ts';
import {
  APPEND_USAGE,
  BUDGET_USAGE,
  IMPORT_USAGE,
  PARKED_USAGE,
  PROJECT_USAGE,
  REBUILD_USAGE,
  ROLLBACK_USAGE,
  SERVE_USAGE,
  SIGN_IN_USAGE,
  START_USAGE,
  STATUS_USAGE,
  TOKEN_USAGE,
  VERIFY_USAGE,
} from './usages.ts';

/**
 * A supervisor such as Docker kills a process 10 s after asking it to stop, so stopping ends before that, also on a busy
 * machine.
 */
const STOP_MS_MAX = 8000;

export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  /** Adds facts to the audit line of the command. */
  readonly note: (facts: AuditFacts) => void;
}

interface Command {
  /** One line for each way of calling it; --help and README show them. */
  readonly usage: string;
  run(args: string[], config: Config, context: CommandContext): Promise<void>;
}

// A command loads its code when it runs, so a reader starts without loading the code of a projector.
function operator(name: keyof typeof import('./operators.ts')): Command['run'] {
  return async (args, config, { note }) =>
    (await import('./operators.ts'))[name](args, config, note);
}

function appender(name: keyof typeof import('./appenders.ts')): Command['run'] {
  return async (args, config) => (await import('./appenders.ts'))[name](args, config);
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    usage: START_USAGE,
    async run(args, config, { env }) {
      const { runStart } = await import('./start.ts');
      await runStart(args, { ...processContext(quietly(config, env)), env });
    },
  },
  serve: {
    usage: SERVE_USAGE,
    async run(args, config) {
      const { runServe } = await import('./serve.ts');
      await runServe(args, processContext(config));
    },
  },
  project: {
    usage: PROJECT_USAGE,
    async run(args, config) {
      const { runProject } = await import('./project.ts');
      await runProject(args, processContext(config));
    },
  },
  append: { usage: APPEND_USAGE, run: appender('append') },
  import: { usage: IMPORT_USAGE, run: appender('importBudget') },
  budget: { usage: BUDGET_USAGE, run: appender('budget') },
  token: { usage: TOKEN_USAGE, run: operator('token') },
  'sign-in': {
    usage: SIGN_IN_USAGE,
    run: operator('signIn'),
  },
  status: { usage: STATUS_USAGE, run: operator('status') },
  parked: { usage: PARKED_USAGE, run: operator('parked') },
  verify: { usage: VERIFY_USAGE, run: operator('verify') },
  rebuild: { usage: REBUILD_USAGE, run: operator('rebuild') },
  rollback: {
    usage: ROLLBACK_USAGE,
    run: operator('rollback'),
  },
};

/** Runs one command. Returns the exit code of the process. */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || args.includes('--help')) {
    print(helpText());
    return name === undefined ? 2 : 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) {
      const known = Object.keys(COMMANDS).join(', ');
      throw new UserError(`Expected a command of ${known}, got ${name}`, { exitCode: 2 });
    }
    await runAudited(command, { name, args: rest }, env);
    return 0;
  } catch (error) {
    const line = error instanceof UserError ? error.message : fileErrorLine(error);
    if (line === null) throw error;
    process.stderr.write(`${line}\n`);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

/** Runs a command, and writes its line of the audit trail if it changes something. */
async function runAudited(
  command: Command,
  { name, args }: { readonly name: string; readonly args: string[] },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const config = loadConfig(env);
  const facts = auditedCommand(name, args);
  let noted: AuditFacts = {};
  const write = (outcome: string) => {
    if (facts === null) return;
    // Nobody collects the lines of a person's own machine.
    const { logLevel } = config.mongodbUrl === null ? quietly(config, env) : config;
    audit(createLog(logLevel), 'command', { ...facts, ...noted, outcome });
  };
  const note = (more: AuditFacts) => {
    noted = { ...noted, ...more };
  };
  try {
    await command.run(args, config, { env, note });
  } catch (error) {
    if (!(error instanceof UserError) || error.exitCode !== 2) write('failed');
    throw error;
  }
  write('done');
}

// On a person's own machine a line per request would bury the addresses, so only warnings are logged by default.
function quietly(config: Config, env: NodeJS.ProcessEnv): Config {
  return env.LOG_LEVEL ? config : { ...config, logLevel: 'warn' };
}

function processContext(config: Config) {
  return {
    config,
    print,
    logger: createLog(config.logLevel),
    isTerminal: process.stdout.isTTY === true,
    stopping: stopSignal(print, STOP_MS_MAX),
  };
}

function helpText(): string {
  const usages = Object.values(COMMANDS).flatMap(({ usage }) => usage.split('\n'));
  const commands = usages.map(line => `  budgeting ${line}`);
  const variables = describeConfig().map(({ name, default: byDefault, description, fromFile }) => {
    const value = byDefault === null ? '' : ` (default ${byDefault})`;
    return `  ${name}${fromFile ? ` or ${name}_FILE` : ''}${value}\n      ${description}`;
  });
  return ['Commands', ...commands, '', 'Environment', ...variables].join('\n');
}
