// From the words of a command line to the command, and from its errors to one clear line and an exit code.
import { type Config, describeConfig, loadConfig } from '../config.ts';
import { UserError } from '../errors.ts';
import { createLog } from '../log.ts';
import { stopSignal } from '../stopping.ts';
import { APPEND_USAGE } from './append.ts';
import {
  append,
  parked,
  print,
  rebuild,
  rollback,
  signIn,
  status,
  token,
  verify,
} from './operators.ts';
import { PARKED_USAGE } from './parked.ts';
import { PROJECT_USAGE, runProject } from './project.ts';
import { REBUILD_USAGE, ROLLBACK_USAGE } from './rebuild.ts';
import { runServe, SERVE_USAGE } from './serve.ts';
import { SIGN_IN_USAGE } from './sign-in.ts';
import { runStart, START_USAGE } from './start.ts';
import { STATUS_USAGE } from './status.ts';
import { TOKEN_USAGE } from './token.ts';
import { VERIFY_USAGE } from './verify.ts';

/** A supervisor that asks a process to stop may count on 10 seconds. */
const STOP_MS_MAX = 9000;

interface Command {
  /** How it is called, a line each; the words of --help and README. */
  readonly usage: string;
  run(args: string[], config: Config, env: NodeJS.ProcessEnv): Promise<void>;
}

export const COMMANDS: Readonly<Record<string, Command>> = {
  start: {
    usage: START_USAGE,
    run: (args, config, env) => runStart(args, { ...processContext(quietly(config, env)), env }),
  },
  serve: {
    usage: SERVE_USAGE,
    run: (args, config) => runServe(args, processContext(config, STOP_MS_MAX)),
  },
  project: {
    usage: PROJECT_USAGE,
    run: (args, config) => runProject(args, processContext(config, STOP_MS_MAX)),
  },
  append: { usage: APPEND_USAGE, run: append },
  token: { usage: TOKEN_USAGE, run: token },
  'sign-in': { usage: SIGN_IN_USAGE, run: signIn },
  status: { usage: STATUS_USAGE, run: status },
  parked: { usage: PARKED_USAGE, run: parked },
  verify: { usage: VERIFY_USAGE, run: verify },
  rebuild: { usage: REBUILD_USAGE, run: rebuild },
  rollback: { usage: ROLLBACK_USAGE, run: rollback },
};

/** Runs one command; answers the exit code of the process. */
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
    await command.run(rest, loadConfig(env), env);
    return 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

// On a person's own machine the addresses matter, not each request: only warnings, unless asked for more.
function quietly(config: Config, env: NodeJS.ProcessEnv): Config {
  return env.LOG_LEVEL === undefined ? { ...config, logLevel: 'warn' } : config;
}

function processContext(config: Config, stopMsMax: number | null = null) {
  return {
    config,
    print,
    log: createLog(config.logLevel),
    isTerminal: process.stdout.isTTY === true,
    stopping: stopSignal(print, stopMsMax),
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
