// What a command is. Each has a file of its own in src/commands; from these, arguments are checked and help and completion
// are made.
import type { Config } from '../../process/config.ts';
import type { AuditFacts } from '../../process/log.ts';

export interface OptionSyntax {
  /** What stands for the value in the usage, such as `N`; absent for a flag. */
  readonly value?: string;
  /** One sentence without its stop, with unit and default. */
  readonly about: string;
  readonly required?: true;
  /** May be given several times. */
  readonly repeats?: true;
  readonly choices?: readonly string[];
}

type Options = Readonly<Record<string, OptionSyntax>>;

/** By the name of the option; text for one value, texts for an option that repeats. */
export type GivenValues = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>;

type ValueOf<Option> = Option extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Option extends { readonly value: string }
    ? Option extends { readonly repeats: true }
      ? readonly string[]
      : string
    : boolean;
/** By the names of the options; undefined for those that were not given. */
export type Values<All> = {
  readonly [Option in keyof All]:
    | ValueOf<All[Option]>
    | (All[Option] extends { readonly required: true } ? never : undefined);
};

/** A command line that is right by the syntax of its command. */
export interface Invocation<Given = GivenValues> {
  readonly values: Given;
  /** As many as the command has, in their order. */
  readonly operands: readonly string[];
  /** How the command is called, for errors that show only when it runs. */
  readonly usage: string;
}

/** What the audit trail shows of a command line (docs/security.md); names of files and all other values are left out. */
interface Audit<Option extends string> {
  /** The operand is an id. */
  readonly operand?: true;
  /** Options whose values are ids. */
  readonly ids?: readonly Option[];
  readonly flags?: readonly Option[];
  /** With this flag the command changes nothing, so the trail has no line of it. */
  readonly unless?: Option;
}

/** What there is before anything is opened. */
export interface Environment {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly values: GivenValues;
  /** Whether this invocation changes something. */
  readonly changes: boolean;
  /** Adds facts to the command's line of the audit trail. */
  readonly note: (facts: AuditFacts) => void;
}

/** Opens what a command needs, runs the command on it, and closes it. */
export type Opening<Context> = (
  environment: Environment,
  run: (context: Context) => Promise<void>,
) => Promise<void>;

interface Definition<All extends Options, Context> {
  readonly name: string;
  /** What follows the name of the command. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  /** What one line leaves out, in whole sentences. */
  readonly details?: string;
  /** Each is given once, in this order; the values describe them. */
  readonly operands?: Readonly<Record<string, string>>;
  readonly options?: All;
  /** Returns why arguments that are right alone do not fit together; null if they do. */
  readonly refuse?: (values: GivenValues, operands: readonly string[]) => string | null;
  /** What follows `budgeting`. */
  readonly examples: readonly string[];
  /** Absent: the command changes nothing. */
  readonly audit?: Audit<NoInfer<keyof All & string>>;
  /** Imports what is large when it runs: help, completion and every other command need only the syntax. */
  readonly run: (invocation: Invocation<Values<All>>, context: Context) => Promise<void>;
  /**
   * Absent: the command needs not even the configuration, and runs on the list of all commands. Stands behind `run`, from
   * which the compiler learns what it is to open.
   */
  readonly opens?: Opening<NoInfer<Context>>;
}

/** Any command; its `run` gets what its `opens` opened. */
export interface Command extends Omit<Definition<Options, unknown>, 'run'> {
  run(invocation: Invocation, context: unknown): Promise<void>;
}

/** Checks that a command takes what its options give and what it opens. */
export function command<
  const All extends Options = Readonly<Record<never, OptionSyntax>>,
  Context = unknown,
>(definition: Definition<All, Context>): Definition<All, Context> {
  return definition;
}

export const JSON_OUTPUT = {
  about: 'Prints one line of JSON instead of text for people',
} as const satisfies OptionSyntax;

export const USER = { value: 'U', about: 'Id of the user' } as const satisfies OptionSyntax;

/** The operand of commands that act on one stream. */
export const STREAM = { STREAM: 'Id of the budget or space, as parked list shows it' };
