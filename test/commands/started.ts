// `budgeting …` as a process of its own, on a data folder of the test's.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** Resolves with what was printed once a line of it matches; rejects when the process ends first. */
  printed(pattern: RegExp): Promise<string>;
  /** What it has written to standard error so far. */
  said(): string;
  readonly ended: Promise<Ended>;
}

/** Starts a command, with any free management port; `env` comes on top of this process's own environment. */
export function budgeting(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, MANAGEMENT_PORT: '0', ...env },
  });
  return watched(child);
}

/** The real `npm start`, in a process group of its own as a shell would give it. */
export function npmStart(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn('npm', ['start', '--', ...args], {
    detached: true,
    env: { ...process.env, MANAGEMENT_PORT: '0', ...env },
  });
  return watched(child);
}

function watched(child: ChildProcessWithoutNullStreams): Started {
  let out = '';
  let err = '';
  child.stdout.on('data', chunk => {
    out += chunk;
  });
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }));
  return {
    child,
    ended,
    said: () => err,
    async printed(pattern) {
      const stopped = ended.then(result => {
        throw new Error(`Ended with ${result.code} before it printed ${pattern}: ${out}${err}`);
      });
      stopped.catch(() => {});
      while (!pattern.test(out)) await Promise.race([once(child.stdout, 'data'), stopped]);
      return out;
    },
  };
}
