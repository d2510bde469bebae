// Runs a script. A mistake of its user is printed in one line, any other error with its stack.
import { UserError } from '../src/process/errors.ts';

export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
