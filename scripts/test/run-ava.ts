// Runs ava on compiled tests.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { delimiter, join } from 'node:path';

const INTERRUPT_AFTER_MS = 500;
/** Servers come first when processors are short: what waits for their answers has deadlines. */
const PRIORITY_BELOW_SERVERS = 2;

export interface AvaRun {
  readonly exitCode: number;
  /** Empty unless TAP was requested. */
  readonly tap: string;
}

export interface AvaOptions {
  readonly root: string;
  /** Compiled files, and ava's own options. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly tap: boolean;
  readonly signal: AbortSignal;
}

/** Runs ava and resolves when it has ended; aborting the signal ends it. */
export function runAva({ root, args, env, tap, signal }: AvaOptions): Promise<AvaRun> {
  // So that the commands are found without npm too.
  const path = [join(root, 'node_modules', '.bin'), env.PATH].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn('ava', [...(tap ? ['--tap'] : []), ...args], {
      cwd: root,
      env: { ...env, PATH: path },
      stdio: ['inherit', tap ? 'pipe' : 'inherit', 'inherit'],
    });
    if (child.pid !== undefined) setPriority(child.pid, PRIORITY_BELOW_SERVERS);
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
      process.stdout.write(chunk);
    });
    let timer: NodeJS.Timeout | undefined;
    signal.addEventListener('abort', () => {
      // From a terminal ava receives ^C by itself. Otherwise SIGINT makes it end its workers.
      timer = setTimeout(() => child.kill('SIGINT'), INTERRUPT_AFTER_MS);
    });
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(timer);
      resolve({ exitCode: code ?? 1, tap: output });
    });
  });
}
