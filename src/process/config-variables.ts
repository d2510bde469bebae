// The environment variables as schemas/config.json describes them; what checks their values is in config.ts.
import schema from '../../schemas/config.json' with { type: 'json' };

/** A row of the table in --help and README. */
export interface VariableDescription {
  readonly name: string;
  /** The allowed values, in words. */
  readonly expected: string;
  /** Null: absent by default. */
  readonly default: string | null;
  /** Includes the allowed values if they are few. */
  readonly description: string;
  /** The value may also come from the file that `<name>_FILE` names. */
  readonly fromFile: boolean;
}

export type Name = keyof typeof schema.properties;
export type Value = string | number | boolean;

export interface Variable {
  readonly type: string;
  readonly description: string;
  readonly default?: Value;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly string[];
  readonly writeOnly?: boolean;
}

export const VARIABLES = Object.entries(schema.properties) as [Name, Variable][];

export function describeConfig(): readonly VariableDescription[] {
  return VARIABLES.map(([name, variable]) => ({
    name,
    expected: expectation(variable),
    default: variable.default === undefined ? null : String(variable.default),
    description:
      variable.description + (variable.enum ? `. One of ${variable.enum.join(', ')}` : ''),
    fromFile: variable.writeOnly === true,
  }));
}

/** Returns the allowed values, in words. */
export function expectation(variable: Variable): string {
  if (variable.enum) return `one of ${variable.enum.join(', ')}`;
  if (variable.type === 'boolean') return 'true or false';
  if (variable.type === 'integer') {
    return `an integer from ${variable.minimum} to ${variable.maximum}`;
  }
  return variable.examples ? `a text such as ${variable.examples[0]}` : 'a text that is not empty';
}
