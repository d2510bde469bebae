// Tells whether a process that a file names still runs, or whether its number belongs to another one now.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delay } from './delay.ts';
import { errorCode, isMissing } from './errors.ts';

const POLL_MS = 25;
const PS_TIMEOUT_MS = 5_000;

/** A process for as long as it lives: numbers are used again, a number with its time of start is not. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  const started = await startOf(process.pid);
  if (started === null) throw new Error(`Process ${process.pid} cannot find itself`);
  return { pid: process.pid, started };
}

export async function isRunning({ pid, started }: ProcessIdentity): Promise<boolean> {
  return (await startOf(pid)) === started;
}

/** The command line of a process, null when there is none of that number. */
export async function commandOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return ps('command=', pid);
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command === '' ? null : command.replaceAll('\0', ' ');
}

/** True once the process has gone, false when the time is up. */
export async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while ((await startOf(pid)) !== null) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

/** When the process started, in the system's own words; null for one that has ended. */
function startOf(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? startOnLinux(pid) : ps('lstart=', pid);
}

/** proc(5): field 3 is the state, field 20 the number of threads, field 22 the start in ticks since boot. */
async function startOnLinux(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, field 2, may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its main thread may be gone while others still hold its files and ports.
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
      // ps leaves with status 1 when it finds no process; anything else it says on its own account.
      if (error !== null && error.code !== 1) reject(error);
      else resolve(output.trim() === '' ? null : output.trim());
    });
  });
}
