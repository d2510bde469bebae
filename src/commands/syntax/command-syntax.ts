// The types of the table of commands, from which arguments are checked and help and completion are made.

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

export interface CommandSyntax {
  /** What follows the name of the command. */
  readonly usage: string;
  /** One line. */
  readonly summary: string;
  /** What one line leaves out, in whole sentences. */
  readonly details?: string;
  /** Each is given once, in this order; the values describe them. */
  readonly operands?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, OptionSyntax>>;
  /** Returns what is wrong with arguments that are right one by one, or null. */
  readonly refuse?: (values: GivenValues, operands: readonly string[]) => string | null;
  /** What follows `budgeting`. */
  readonly examples: readonly string[];
}

/** By the name of the option; text for one value, texts for an option that repeats. */
export type GivenValues = Readonly<
  Record<string, string | boolean | readonly string[] | undefined>
>;

export const JSON_OUTPUT = {
  about: 'Prints one line of JSON instead of text for people',
} as const satisfies OptionSyntax;

export const USER = { value: 'U', about: 'Id of the user' } as const satisfies OptionSyntax;
