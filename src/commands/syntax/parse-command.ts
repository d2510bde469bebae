// Checks a command line by the table of commands, before anything is opened.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorCode, UserError } from '../../process/errors.ts';
import { nearestName } from '../../process/nearest-name.ts';
import type { CommandSyntax, GivenValues, OptionSyntax } from './command-syntax.ts';
import { COMMANDS } from './commands.ts';

type Commands = typeof COMMANDS;
export type CommandName = keyof Commands;

type OptionsOf<Name extends CommandName> = Commands[Name] extends { readonly options: infer All }
  ? All
  : Record<never, never>;
type ValueOf<Option> = Option extends { readonly value: string }
  ? Option extends { readonly repeats: true }
    ? readonly string[]
    : string
  : boolean;
type Values<All> = {
  readonly [Option in keyof All]:
    | ValueOf<All[Option]>
    | (All[Option] extends { readonly required: true } ? never : undefined);
};

/** A command line that is right by the table. */
export type Invocation<Name extends CommandName = CommandName> = Name extends CommandName
  ? {
      readonly name: Name;
      /** By the names of the options; undefined for those that were not given. */
      readonly values: Values<OptionsOf<Name>>;
      /** As many as the command has, in their order. */
      readonly operands: readonly string[];
    }
  : never;

/** @throws UserError with the usage when the command or one of its arguments is not right */
export function parseCommand(args: readonly string[]): Invocation {
  const { name, rest } = splitName(args);
  const syntax = syntaxOf(name);
  const { values: given, positionals } = parseOptions(name, rest);
  const values: Record<string, GivenValues[string]> = {};
  for (const [option, { value, repeats, required, choices }] of optionsOf(name)) {
    const texts = [given[option]].flat().filter(one => typeof one === 'string');
    if (value !== undefined && !repeats && texts.length > 1) {
      throw usageError(name, `Expected --${option} once, got it ${texts.length} times`);
    }
    if (required && texts.length === 0) {
      throw usageError(name, `Expected --${option} ${value}, got none`);
    }
    const wrong = texts.find(text => choices !== undefined && !choices.includes(text));
    if (wrong !== undefined) {
      throw usageError(name, `Expected --${option} ${choices?.join(' or ')}, got ${wrong}`);
    }
    if (value === undefined) values[option] = given[option] === true;
    else if (texts.length > 0) values[option] = repeats ? texts : texts[0];
  }
  checkOperands(name, positionals);
  const problem = syntax.refuse?.(values, positionals) ?? null;
  if (problem !== null) throw usageError(name, problem);
  return { name, values, operands: positionals } as unknown as Invocation;
}

export function syntaxOf(name: CommandName): CommandSyntax {
  return COMMANDS[name];
}

export function optionsOf(name: CommandName): [string, OptionSyntax][] {
  return Object.entries(syntaxOf(name).options ?? {});
}

/** Returns the commands whose name is, or begins with, this word: `token` names three. */
export function commandsOf(word: string): CommandName[] {
  const names = Object.keys(COMMANDS) as CommandName[];
  return names.filter(name => name === word || name.startsWith(`${word} `));
}

export function usageError(name: CommandName, message: string, cause?: unknown): UserError {
  return new UserError(`${message}\nUsage:\n${usageOf(name)}`, { cause });
}

export function usageOf(name: CommandName): string {
  return `budgeting ${name} ${syntaxOf(name).usage}`.trimEnd();
}

function splitName([word = '', action, ...rest]: readonly string[]) {
  const commands = commandsOf(word);
  const [only] = commands;
  if (only === undefined) throw unknownCommand(word);
  if (only === word) return { name: only, rest: action === undefined ? [] : [action, ...rest] };
  const name = commands.find(one => one === `${word} ${action}`);
  if (name !== undefined) return { name, rest };
  const actions = commands.map(one => one.slice(word.length + 1));
  const list = `${actions.slice(0, -1).join(', ')} or ${actions.at(-1)}`;
  const usages = commands.map(usageOf).join('\n');
  throw new UserError(`Expected ${word} ${list}, got ${action ?? 'nothing'}\nUsage:\n${usages}`);
}

/** The first words of all commands, each once. */
export function commandWords(): string[] {
  return [...new Set(Object.keys(COMMANDS).map(name => name.split(' ')[0] ?? ''))];
}

export function unknownCommand(word: string): UserError {
  const words = commandWords();
  const nearest = nearestName(word, words);
  const hint = nearest === null ? '' : `; did you mean ${nearest}?`;
  const message = `Expected a command of ${words.join(', ')}, got ${word}${hint}`;
  return new UserError(message, { exitCode: 2 });
}

function parseOptions(name: CommandName, args: string[]) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, { value }] of optionsOf(name)) {
    options[option] =
      value === undefined ? { type: 'boolean' } : { type: 'string', multiple: true };
  }
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // The rest explains to people how to pass such a text as an operand, which no command needs.
    const [problem] = (error as Error).message.split(/\. |\n/);
    throw usageError(name, `${problem}${hintOf(error, options)}`, error);
  }
}

function hintOf(error: unknown, options: Readonly<Record<string, unknown>>): string {
  if (errorCode(error) !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return '';
  const [, option = ''] = /'--([^'=]+)/.exec((error as Error).message) ?? [];
  const nearest = nearestName(option, Object.keys(options));
  return nearest === null ? '' : `\nDid you mean --${nearest}?`;
}

/** The message names no operand: a token that is given by mistake is a secret. */
function checkOperands(name: CommandName, { length }: readonly string[]): void {
  const expected = Object.keys(syntaxOf(name).operands ?? {});
  if (length === expected.length) return;
  const [one] = expected;
  throw usageError(
    name,
    one === undefined
      ? `Expected no argument, got ${length}`
      : `Expected one ${one}, got ${length}`,
  );
}
