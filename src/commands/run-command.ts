// Runs the command that the command line names, and turns its errors into one clear line and an exit code.
import { readFileSync } from 'node:fs';
import { explainedLine, reasonOf } from '../process/describe-error.ts';
import { UserError } from '../process/errors.ts';
import { COMMANDS } from './commands.ts';
import { helpText } from './syntax/help.ts';
import { parseCommand } from './syntax/parse-command.ts';
import { print, printError } from './terminal/print.ts';

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
  const explained = explainedLine(error);
  if (explained !== null || isDebugging || SERVICES.includes(command ?? '')) return explained;
  return `Stopped by an error that nobody expected: ${reasonOf(error)} (LOG_LEVEL=debug shows where)`;
}

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--version') {
    print(`budgeting ${versionOf()}`);
  } else if (first === undefined) {
    print(helpText(COMMANDS, []));
    return 2;
  } else if (first === 'help') {
    print(helpText(COMMANDS, rest));
  } else if (args.includes('--help') || args.includes('-h')) {
    print(
      helpText(
        COMMANDS,
        args.filter(arg => !arg.startsWith('-')),
      ),
    );
  } else {
    const { command, invocation } = parseCommand(COMMANDS, args);
    const { opens } = command;
    if (opens === undefined) {
      await command.run(invocation, COMMANDS);
    } else {
      const { runOpened } = await import('./opening/process.ts');
      await runOpened({ ...command, opens }, invocation, env);
    }
  }
  return 0;
}

function versionOf(): string {
  const file = new URL('../../../package.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
