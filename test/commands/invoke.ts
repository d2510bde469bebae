// Runs a command on what a test has opened.
import { COMMANDS } from '../../src/commands/commands.ts';
import type { Command } from '../../src/commands/syntax/command.ts';
import { parseArguments, parseCommand } from '../../src/commands/syntax/parse-command.ts';

type Run = (invocation: never, context: never) => Promise<void>;

/** Runs the command as it runs behind its name and these arguments. */
export async function invoke<Runs extends Run>(
  command: Omit<Command, 'run'> & { readonly run: Runs },
  args: readonly string[],
  context: Parameters<Runs>[1],
): Promise<void> {
  const invocation = parseArguments(command, args);
  await command.run(invocation as never, context as never);
}

/** Runs the command that the line names; the context has what it opens. */
export async function invokeLine(line: readonly string[], context: object): Promise<void> {
  const { command, invocation } = parseCommand(COMMANDS, line);
  await command.run(invocation, context);
}
