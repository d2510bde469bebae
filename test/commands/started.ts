// `budgeting …` as a separate process, on a data folder of the test.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** Without the lines of the audit trail. */
  readonly err: string;
  readonly audit: readonly string[];
}

export interface Started {
  readonly child: ChildProcess;
  /** Resolves with everything printed once a line matches; rejects if the process ends first. */
  printed(pattern: RegExp): Promise<string>;
  /** Returns everything on standard error so far. */
  errors(): string;
  readonly ended: Promise<Ended>;
}

/** Starts a command on any free management port; `env` overrides the environment of this process. */
export function budgeting(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, MANAGEMENT_PORT: '0', ...env },
  });
  return collectOutput(child);
}

/** Starts the real `npm start`, in its own process group like a shell. */
export function npmStart(args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child = spawn('npm', ['start', '--', ...args], {
    detached: true,
    env: { ...process.env, MANAGEMENT_PORT: '0', ...env },
  });
  return collectOutput(child);
}

export function collectOutput(child: ChildProcessWithoutNullStreams): Started {
  let out = '';
  let err = '';
  // A chunk may end in the midst of a character.
  child.stdout.setEncoding('utf8').on('data', chunk => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', chunk => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => {
    const isAudit = (line: string) => line.startsWith('{') && line.includes('"audit":');
    const lines = err.split('\n');
    const shown = lines.filter(line => !isAudit(line)).join('\n');
    return { code, out, err: shown, audit: lines.filter(isAudit) };
  });
  return {
    child,
    ended,
    errors: () => err,
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
