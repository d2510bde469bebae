// Keeps a server running for a person, until ^C.
import { once } from 'node:events';

/** Prints the line that other programs put into their environment, and waits; `stop` removes the server's data. */
export async function keepRunning(line: string, stop: () => Promise<void>): Promise<void> {
  process.stdout.write(`${line}\n`);
  process.stderr.write('^C stops it and removes its data\n');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await stop();
}
