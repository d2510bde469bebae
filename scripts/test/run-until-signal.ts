// Runs a script whose end is an exit code; a signal ends it cleanly.
import { UserError } from '../../src/process/errors.ts';

export async function runUntilSignal(
  work: (signal: AbortSignal) => Promise<number>,
): Promise<void> {
  const abort = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => abort.abort());
  }
  try {
    process.exitCode = await work(abort.signal);
  } catch (error) {
    process.exitCode = 1;
    const { message, stack } = error as Error;
    process.stderr.write(`${error instanceof UserError ? message : stack}\n`);
  }
}
