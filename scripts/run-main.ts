// Runs a script. A mistake of its user is printed in one line, any other error with its stack.
import { UserError } from '../src/process/errors.ts';

export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!isUsersMistake(error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** `parseArgs` has no class for options that are wrong, but codes. */
function isUsersMistake(error: unknown): error is Error {
  const { code } = error as { readonly code?: unknown };
  return error instanceof UserError || String(code).startsWith('ERR_PARSE_ARGS_');
}
