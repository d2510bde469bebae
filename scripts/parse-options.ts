// The options on the command line of a script.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../src/process/errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/** @throws UserError that names the options there are */
export function parseOptions<const O extends Options>(options: O): Values<O> {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    // The rest explains how to pass such a text as an operand, which no script takes.
    const [problem] = (error as Error).message.split(/\. |\n/);
    const known = Object.entries(options).map(([name, { type }]) =>
      type === 'boolean' ? `[--${name}]` : `[--${name} …]`,
    );
    throw new UserError(`${problem}; expected ${known.join(' ') || 'none'}`, { cause: error });
  }
}
