// Runs the command that the command line names, and turns its errors into one clear line and an exit code.
import { readFileSync } from 'node:fs';
import { type AuditFacts, audit } from '../process/audit.ts';
import { type Config, loadConfig } from '../process/config.ts';
import { reasonOf } from '../process/describe-error.ts';
import { UserError } from '../process/errors.ts';
import { fileErrorLine } from '../process/file-errors.ts';
import { createLog } from '../process/log.ts';
import { stopSignal } from '../process/stopping.ts';
import { auditedCommand } from './opening/audit-command.ts';
import { completionScript } from './syntax/completion.ts';
import { helpText } from './syntax/help.ts';
import { type CommandName, type Invocation, parseCommand } from './syntax/parse-command.ts';
import { print, printError } from './terminal/print.ts';

/**
 * A supervisor such as Docker kills a process 10 s after asking it to stop, so stopping ends before that, also on a busy
 * machine.
 */
const STOP_MS_MAX = 8000;

interface Environment {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  /** Adds facts to the command's line of the audit trail. */
  readonly note: (facts: AuditFacts) => void;
}

type Runs = {
  readonly [Name in CommandName]: (
    invocation: Invocation<Name>,
    environment: Environment,
  ) => Promise<void>;
};

// A command loads its code when it runs, so a reader starts without loading the code of a projector.
const operators = () => import('./operators.ts');
const appenders = () => import('./appenders.ts');

const RUNS: Runs = {
  async start({ values }, { config, env }) {
    const { runStart } = await import('./services/start-system.ts');
    await runStart(values, { ...processContext(quietly(config, env)), env });
  },
  async serve(_, { config }) {
    const { runServe } = await import('./serve.ts');
    await runServe(processContext(config));
  },
  async project(_, { config }) {
    const { runProject } = await import('./project.ts');
    await runProject(processContext(config));
  },
  append: async (asked, { config }) => (await appenders()).appendCommand(asked, config),
  'import ynab': async (asked, { config }) => (await appenders()).importCommand(asked, config),
  'import actual': async (asked, { config }) => (await appenders()).importCommand(asked, config),
  'budget list': async (asked, { config }) => (await appenders()).budgetListCommand(asked, config),
  'budget delete': async (asked, { config }) =>
    (await appenders()).budgetDeleteCommand(asked, config),
  'token issue': async (asked, { config, note }) =>
    (await operators()).tokenCommand(asked, config, note),
  'token list': async (asked, { config, note }) =>
    (await operators()).tokenCommand(asked, config, note),
  'token revoke': async (asked, { config, note }) =>
    (await operators()).tokenCommand(asked, config, note),
  'sign-in': async (asked, { config }) => (await operators()).signInCommand(asked, config),
  status: async (asked, { config }) => (await operators()).statusCommand(asked, config),
  'parked list': async (asked, { config }) => (await operators()).parkedCommand(asked, config),
  'parked retry': async (asked, { config }) => (await operators()).parkedCommand(asked, config),
  'parked skip': async (asked, { config }) => (await operators()).parkedCommand(asked, config),
  'parked resume': async (asked, { config }) => (await operators()).parkedCommand(asked, config),
  verify: async (asked, { config }) => (await operators()).verifyCommand(asked, config),
  explain: async (asked, { config }) => (await operators()).explainCommand(asked, config),
  rebuild: async (asked, { config }) => (await operators()).rebuildCommand(asked, config),
  rollback: async (_, { config }) => (await operators()).rollbackCommand(config),
  completion: async ({ operands: [shell = ''] }) => print(completionScript(shell)),
};

/** Runs one command. Returns the exit code of the process. */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    return await run(args, env);
  } catch (error) {
    const line = error instanceof UserError ? error.message : unexpectedLine(error, args, env);
    if (line === null) throw error;
    printError(line);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

/** Services whose log tells operators where an error came from. */
const SERVICES = ['start', 'serve', 'project'];

/** Returns one line for an error that no code has explained; null if the log is to have it with its stack. */
function unexpectedLine(error: unknown, [command]: string[], env: NodeJS.ProcessEnv) {
  const isDebugging = env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace';
  const explained = fileErrorLine(error);
  if (explained !== null || isDebugging || SERVICES.includes(command ?? '')) return explained;
  return `Stopped by an error that nobody expected: ${reasonOf(error)} (LOG_LEVEL=debug shows where)`;
}

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--version') {
    print(`budgeting ${versionOf()}`);
  } else if (first === undefined) {
    print(helpText([]));
    return 2;
  } else if (first === 'help') {
    print(helpText(rest));
  } else if (args.includes('--help') || args.includes('-h')) {
    print(helpText(args.filter(arg => !arg.startsWith('-'))));
  } else {
    await runAudited(parseCommand(args), env);
  }
  return 0;
}

/** Runs a command, and writes its line of the audit trail if it changes something. */
async function runAudited(invocation: Invocation, env: NodeJS.ProcessEnv): Promise<void> {
  const command = RUNS[invocation.name] as Runs[keyof Runs];
  const config = loadConfig(env);
  const facts = auditedCommand(invocation);
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
    await command(invocation as never, { config, env, note });
  } catch (error) {
    if (!(error instanceof UserError) || error.exitCode !== 2) write('failed');
    throw error;
  }
  write('done');
}

function versionOf(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
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
