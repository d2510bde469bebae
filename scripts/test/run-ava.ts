// Runs ava on the compiled tests, with coverage if all of them run.
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

const INTERRUPT_AFTER_MS = 500;

export interface AvaRun {
  readonly exitCode: number;
  /** Empty unless TAP was requested. */
  readonly tap: string;
}

export interface AvaOptions {
  readonly root: string;
  /** As given to `npm test`: files of test/ or of dist/test/, and ava's own options. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly tap: boolean;
  readonly signal: AbortSignal;
}

/** Runs ava and resolves when it has ended; aborting the signal ends it. */
export function runAva({ root, args, env, tap, signal }: AvaOptions): Promise<AvaRun> {
  const [command = '', ...rest] = avaCommand(args, tap);
  // So that the commands are found without npm too.
  const path = [join(root, 'node_modules', '.bin'), env.PATH].join(delimiter);
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, {
      cwd: root,
      env: { ...env, PATH: path },
      stdio: ['inherit', tap ? 'pipe' : 'inherit', 'inherit'],
    });
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

/** Returns the command line of ava. The coverage of a few tests means nothing, so it is measured for all only. */
export function avaCommand(args: readonly string[], tap: boolean): string[] {
  const coverage = args.length === 0 ? ['c8'] : [];
  return [...coverage, 'ava', ...(tap ? ['--tap'] : []), ...args.map(compiledPath)];
}

function compiledPath(argument: string): string {
  return argument.replace(/^(?:\.\/)?(test\/.*)\.ts$/, 'dist/$1.js');
}
