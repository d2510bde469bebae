// Checks a command line by the syntax of its command, before anything is opened.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorCode, UserError } from '../../process/errors.ts';
import { nearestName } from '../../process/nearest-name.ts';
import type { Command, GivenValues, Invocation, OptionSyntax } from './command.ts';

/** A command without what it runs. */
type Syntax = Omit<Command, 'run'>;

/** @throws UserError with the usage when no command has this name, or one of its arguments is not right */
export function parseCommand(
  commands: readonly Command[],
  args: readonly string[],
): { readonly command: Command; readonly invocation: Invocation } {
  const { command, rest } = splitName(commands, args);
  return { command, invocation: parseArguments(command, rest) };
}

/** @throws UserError with the usage when one of the arguments is not right */
export function parseArguments(command: Syntax, args: readonly string[]): Invocation {
  const { values: given, positionals: operands } = parseOptions(command, args);
  const values: Record<string, GivenValues[string]> = {};
  for (const [option, { value, repeats, required, choices }] of optionsOf(command)) {
    const texts = [given[option]].flat().filter(one => typeof one === 'string');
    if (value !== undefined && !repeats && texts.length > 1) {
      throw usageError(usageOf(command), `Expected --${option} once, got it ${texts.length} times`);
    }
    if (required && texts.length === 0) {
      throw usageError(usageOf(command), `Expected --${option} ${value}, got none`);
    }
    const wrong = texts.find(text => choices !== undefined && !choices.includes(text));
    if (wrong !== undefined) {
      throw usageError(
        usageOf(command),
        `Expected --${option} ${choices?.join(' or ')}, got ${wrong}`,
      );
    }
    if (value === undefined) values[option] = given[option] === true;
    else if (texts.length > 0) values[option] = repeats ? texts : texts[0];
  }
  checkOperands(command, operands);
  const problem = command.refuse?.(values, operands) ?? null;
  if (problem !== null) throw usageError(usageOf(command), problem);
  return { values, operands, usage: usageOf(command) };
}

export function optionsOf({ options = {} }: Syntax): [string, OptionSyntax][] {
  return Object.entries(options);
}

/** Returns the commands whose name is, or begins with, this word: `token` names three. */
export function commandsOf(commands: readonly Command[], word: string): readonly Command[] {
  return commands.filter(({ name }) => name === word || name.startsWith(`${word} `));
}

export function usageError(usage: string, message: string, cause?: unknown): UserError {
  return new UserError(`${message}\nUsage:\n${usage}`, { cause });
}

export function usageOf({ name, usage }: Pick<Command, 'name' | 'usage'>): string {
  return `budgeting ${name} ${usage}`.trimEnd();
}

function splitName(commands: readonly Command[], [word = '', action, ...rest]: readonly string[]) {
  const named = commandsOf(commands, word);
  const [only] = named;
  if (only === undefined) throw unknownCommand(commands, word);
  if (only.name === word) {
    return { command: only, rest: action === undefined ? [] : [action, ...rest] };
  }
  const command = named.find(({ name }) => name === `${word} ${action}`);
  if (command !== undefined) return { command, rest };
  const actions = named.map(({ name }) => name.slice(word.length + 1));
  const list = `${actions.slice(0, -1).join(', ')} or ${actions.at(-1)}`;
  const usages = named.map(usageOf).join('\n');
  throw new UserError(`Expected ${word} ${list}, got ${action ?? 'nothing'}\nUsage:\n${usages}`);
}

/** The first words of all commands, each once. */
export function commandWords(commands: readonly Command[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
}

export function unknownCommand(commands: readonly Command[], word: string): UserError {
  const words = commandWords(commands);
  const nearest = nearestName(word, words);
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  const message = `Expected a command of ${words.join(', ')}, got ${word}${hint}`;
  return new UserError(message, { exitCode: 2 });
}

function parseOptions(command: Syntax, args: readonly string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, { value }] of optionsOf(command)) {
    options[option] =
      value === undefined ? { type: 'boolean' } : { type: 'string', multiple: true };
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The rest explains to people how to pass such a text as an operand, which no command needs.
    const [problem] = (error as Error).message.split(/\. |\n/);
    throw usageError(usageOf(command), `${problem}${hintOf(error, options)}`, error);
  }
}

function hintOf(error: unknown, options: Readonly<Record<string, unknown>>): string {
  const { message } = error as Error;
  if (message.includes('is ambiguous')) {
    return '\nWrite --OPTION=VALUE for a value that begins with a dash';
  }
  if (errorCode(error) !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return '';
  const [, option = ''] = /'--([^'=]+)/.exec(message) ?? [];
  const nearest = nearestName(option, Object.keys(options));
  return nearest === null ? '' : `\nDid you mean --${nearest}?`;
}

/** The message names no operand: a token that is given by mistake is a secret. */
function checkOperands(command: Syntax, { length }: readonly string[]): void {
  const expected = Object.keys(command.operands ?? {});
  if (length === expected.length) return;
  const [one] = expected;
  throw usageError(
    usageOf(command),
    one === undefined
      ? `Expected no argument, got ${length}`
      : `Expected one ${one}, got ${length}`,
  );
}
