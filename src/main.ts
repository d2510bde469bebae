// Runs the command line: `budgeting <command>`. Importing this module is running it.

import { runCommand } from './commands/run-command.ts';
import { outputWritten, printError, writeWholeFiles } from './commands/terminal/print.ts';
import { explainedLine, fatalLine } from './process/describe-error.ts';
import { errorCode } from './process/errors.ts';

// Replaces Node's own report, which prints all fields of an error and so may reveal documents of the read model.
function report(error: unknown): void {
  const line = explainedLine(error);
  if (line !== null) printError(line);
  else process.stderr.write(`${fatalLine(error, new Date())}\n`);
}

/** Everything is closed and printed by then: only a leftover timer or socket of a library can keep the process alive for longer. */
const LINGER_MS_MAX = 1000;

process.on('uncaughtException', error => {
  report(error);
  process.exit(1);
});
/** `budgeting … | head -1` closed its end (EPIPE), or the terminal is closed (EIO). */
const GONE: readonly unknown[] = ['EPIPE', 'EIO'];

// The command goes on: to end it midway would do more harm. The rest of its output is dropped, and where nobody has chosen
// that, as on a full disk, it ends with 1.
let isLost = false;
process.stdout.on('error', error => {
  if (isLost || GONE.includes(errorCode(error))) return;
  isLost = true;
  // The command may have ended already.
  process.exitCode ||= 1;
  printError(`The output cannot be written, and is lost from here on: ${error.message}`);
});
process.stderr.on('error', () => {});
writeWholeFiles();
// Until the command has ended: a process that runs out of work before that did not succeed.
process.exitCode = 1;
const exitCode = await runCommand(process.argv.slice(2), process.env).catch(report);
// A reader of a pipe may take long.
await outputWritten();
if (exitCode === undefined) process.exit(1);
process.exitCode = exitCode || Number(isLost);
setTimeout(() => process.exit(), LINGER_MS_MAX).unref();
