// Runs a script: what its user did wrong is told in one line, anything else with its stack.
import { UserError } from '../src/errors.ts';

export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
