// Real processes under measurement: the compiled command line, and the bare programs that are its baselines.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { processorSeconds } from './processor-time.ts';

export interface Running {
  /** Resolves with the match of the first line on standard output that matches, an earlier one included. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Returns the peak of its memory in RAM, in megabytes. */
  peakMegabytes(): Promise<number>;
  /** Returns the processor time that it has taken so far. */
  processorSeconds(): Promise<number>;
  /** Rejects when the process ends. */
  readonly ended: Promise<never>;
  stop(): Promise<void>;
}

/** The folder of the compiled sources. */
export const COMPILED = join(import.meta.dirname, '..', '..');
const STOP_MS_MAX = 15_000;

/** What the image sets for its processes (Dockerfile), where the caller's environment sets nothing else. */
export const IMAGE_ENVIRONMENT = {
  NODE_OPTIONS: '--max-semi-space-size=16',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '1048576',
};

const children = new Set<ChildProcess>();

/** Stops all running processes: a figure that fails leaves its processes behind. */
export async function stopProcesses(): Promise<void> {
  await Promise.all([...children].map(stop));
}

/** Runs a subcommand of the product, with ports of its own. */
export function runCli(args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const path = join(COMPILED, 'src', 'cli.js');
  return runNode(path, args, { PORT: '0', MANAGEMENT_PORT: '0', ...env });
}

/** Runs a program of scripts/bench/bare. */
export function runBare(name: string, env: NodeJS.ProcessEnv): Running {
  return runNode(join(COMPILED, 'scripts', 'bench', 'bare', `${name}.js`), [], env);
}

function runNode(path: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  return run(process.execPath, [path, ...args], { ...IMAGE_ENVIRONMENT, ...process.env, ...env });
}

/** Runs any program. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    // The process writes its log as always, and the log is discarded.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const ended = endOf(child);
  // Stopping it is no failure.
  ended.catch(() => {});
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  const seen: string[] = [];
  lines.on('line', line => seen.push(line));
  return {
    line: pattern => lineOf({ child, lines, seen }, pattern),
    peakMegabytes: () => peakOf(child),
    processorSeconds: () => processorSeconds(child.pid ?? 0),
    ended,
    stop: () => stop(child),
  };
}

interface Output {
  readonly child: ChildProcess;
  readonly lines: Interface;
  /** Lines so far. */
  readonly seen: readonly string[];
}

function lineOf({ child, lines, seen }: Output, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const check = (line: string) => {
      const match = pattern.exec(line);
      if (match) resolve(match);
    };
    seen.forEach(check);
    lines.on('line', check);
    child.once('exit', code =>
      reject(new Error(`Expected a line ${pattern}, got exit code ${code}`)),
    );
  });
}

async function endOf(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`Expected the process to run until it is stopped, got exit code ${code}`);
}

async function peakOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kilobytes === undefined) throw new Error('Expected the system to tell the peak of memory');
  return Number(kilobytes) / 1024;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await exit;
  clearTimeout(force);
}
