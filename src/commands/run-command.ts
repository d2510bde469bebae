// From the words of a command line to the command, and from its errors to one clear line and an exit code.
import { ACCESS_DATABASE, ensureAccessIndexes } from '../access/connect.ts';
import { createTokenStore } from '../access/tokens.ts';
import { type Config, describeConfig, loadConfig } from '../config.ts';
import { UserError } from '../errors.ts';
import { createLog } from '../log.ts';
import { generationCollections } from '../read-store/collections.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { ensureGeneration } from '../read-store/registry.ts';
import { stopSignal } from '../stopping.ts';
import { APPEND_USAGE, runAppend } from './append.ts';
import { PARKED_USAGE, runParked } from './parked.ts';
import { PROJECT_USAGE, runProject } from './project.ts';
import { runServe, SERVE_USAGE } from './serve.ts';
import { runStart, START_USAGE } from './start.ts';
import { openLog, openStore, projectorStore } from './system.ts';
import { runToken, TOKEN_USAGE } from './token.ts';
import { runVerify, VERIFY_USAGE } from './verify.ts';

const COMMANDS: Readonly<
  Record<string, (args: string[], config: Config, env: NodeJS.ProcessEnv) => Promise<void>>
> = {
  start: (args, config, env) => runStart(args, { ...processContext(quietly(config, env)), env }),
  serve: (args, config) => runServe(args, processContext(config)),
  project: (args, config) => runProject(args, processContext(config)),
  append,
  token,
  parked,
  verify,
};

/** Runs one command; answers the exit code of the process. */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || args.includes('--help')) {
    print(helpText());
    return name === undefined ? 2 : 0;
  }
  try {
    const command = COMMANDS[name];
    if (!command || !Object.hasOwn(COMMANDS, name)) {
      const known = Object.keys(COMMANDS).join(', ');
      throw new UserError(`Expected a command of ${known}, got ${name}`, { exitCode: 2 });
    }
    await command(rest, loadConfig(env), env);
    return 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

// On a person's own machine the addresses matter, not each request: only warnings, unless asked for more.
function quietly(config: Config, env: NodeJS.ProcessEnv): Config {
  return env.LOG_LEVEL === undefined ? { ...config, logLevel: 'warn' } : config;
}

function processContext(config: Config) {
  return {
    config,
    print,
    log: createLog(config.logLevel),
    isTerminal: process.stdout.isTTY === true,
    stopping: stopSignal(print),
  };
}

async function withStore(
  config: Config,
  run: (connection: StoreConnection) => Promise<void>,
): Promise<void> {
  const connection = await openStore(config);
  try {
    await run(connection);
  } finally {
    await connection.close();
  }
}

function append(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const generation = await ensureGeneration(connection.readModel);
    const log = await openLog(config, true);
    try {
      const collections = generationCollections(connection.readModel, generation);
      await runAppend(args, { log, collections, stdin: process.stdin, print });
    } finally {
      await log.close();
    }
  });
}

function token(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const access = connection.database(ACCESS_DATABASE);
    await ensureAccessIndexes(access);
    await runToken(args, { tokens: createTokenStore(access), now: () => new Date(), print });
  });
}

function parked(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const store = projectorStore(connection, await ensureGeneration(connection.readModel));
    try {
      await runParked(args, { store, now: () => new Date(), print });
    } finally {
      await store.session.end();
    }
  });
}

function verify(args: string[], config: Config): Promise<void> {
  return withStore(config, async connection => {
    const generation = await ensureGeneration(connection.readModel);
    const store = projectorStore(connection, generation);
    const log = await openLog(config, false);
    const { signal } = stopSignal(() => {});
    const source = { database: connection.readModel, generation, store, log };
    try {
      await runVerify(args, { source, signal, print, isTerminal: process.stdout.isTTY === true });
    } finally {
      await log.close();
      await store.session.end();
    }
  });
}

function helpText(): string {
  const usages = [
    START_USAGE,
    SERVE_USAGE,
    PROJECT_USAGE,
    APPEND_USAGE,
    TOKEN_USAGE,
    PARKED_USAGE,
    VERIFY_USAGE,
  ];
  const commands = usages.flatMap(usage => usage.split('\n')).map(line => `  budgeting ${line}`);
  const variables = describeConfig().map(({ name, default: byDefault, description, fromFile }) => {
    const value = byDefault === null ? '' : ` (default ${byDefault})`;
    return `  ${name}${fromFile ? ` or ${name}_FILE` : ''}${value}\n      ${description}`;
  });
  return ['Commands', ...commands, '', 'Environment', ...variables].join('\n');
}
