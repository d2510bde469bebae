// Checks whether a recorded process still runs, or whether another process has its pid by now.
import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { errorCode, isMissing } from './errors.ts';
import { delay } from './waiting.ts';

const POLL_MS = 25;
const PS_TIMEOUT_MS = 5_000;

/** Identifies a process: a pid may be reused, a pid with its start time is not. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
  /** Where its number means a process: each container has numbers of its own. Missing where a system has one such place. */
  readonly namespace?: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const started = await startOf(process.pid);
  if (started === null) throw new Error(`Process ${process.pid} cannot find itself`);
  const namespace = await readlink('/proc/self/ns/pid').catch(() => undefined);
  return { pid: process.pid, started, ...(namespace !== undefined && { namespace }) };
}

/**
 * Returns whether `isRunning` can tell: not of a process in another container, unless the machine was restarted since.
 * Releases before 1.2 name no namespace; they look for each other in their own.
 */
export function isInSight(own: ProcessIdentity, other: ProcessIdentity): boolean {
  const bootOf = ({ started }: ProcessIdentity) => started.split(' ', 1)[0];
  if (other.namespace === undefined || other.namespace === own.namespace) return true;
  // Without a namespace this is another system, which shares a folder with the containers in it.
  return own.namespace !== undefined && bootOf(own) !== bootOf(other);
}

export async function isRunning({ pid, started }: ProcessIdentity): Promise<boolean> {
  return (await startOf(pid)) === started;
}

/** Returns the command line of a process, or null if no process has that pid. */
export async function commandOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return ps('command=', pid);
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command === '' ? null : command.replaceAll('\0', ' ');
}

/** Returns true once the process has ended, false when the time is up. */
export async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while ((await startOf(pid)) !== null) {
    if (performance.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** Returns the start time of a process in the system's own format; null for an ended process. */
function startOf(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? startOnLinux(pid) : ps('lstart=', pid);
}

/** proc(5): field 3 is the state, field 20 the number of threads, field 22 the start in ticks since boot. */
async function startOnLinux(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // Field 2, the program's name, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The main thread may have ended while other threads still use the files and ports.
    if ((fields[0] === 'Z' || fields[0] === 'X') && Number(fields[17]) <= 1) return null;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${fields[19]}`;
  } catch (error) {
    if (isMissing(error) || errorCode(error) === 'ESRCH') return null;
    throw error;
  }
}

function ps(field: string, pid: number): Promise<string | null> {
  const options = { timeout: PS_TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  return new Promise((resolve, reject) => {
    execFile('ps', ['-o', field, '-p', String(pid)], options, (error, output) => {
      // Status 1 means that ps found no process; any other is an error of ps itself.
      if (error !== null && error.code !== 1) reject(error);
      else resolve(output.trim() === '' ? null : output.trim());
    });
  });
}
