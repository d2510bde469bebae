// Processes that must not outlive this one.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const alive = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The file that receives everything it prints. */
  readonly output: string;
}

/** Starts a process; `onLine` receives each line of its output. */
export function startChild(
  { file, args, env = process.env, output }: Command,
  onLine: (line: string) => void = () => {},
): ChildProcess {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const copy = createWriteStream(output, { flags: 'a' });
  alive.add(child);
  child.once('close', () => {
    alive.delete(child);
    copy.end();
  });
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      copy.write(text);
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
  }
  return child;
}

export function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Resolves when the process has ended. */
export async function ended(child: ChildProcess): Promise<void> {
  if (isAlive(child)) await once(child, 'exit');
}
