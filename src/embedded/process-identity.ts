// Tells whether a process that a file names still runs, or whether its number belongs to another one now.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const POLL_MS = 25;

/** A process for as long as it lives: numbers are used again, a number with its time of start is not. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, started: (await startOf(process.pid)) ?? '' };
}

export async function isRunning({ pid, started }: ProcessIdentity): Promise<boolean> {
  return (await startOf(pid)) === started;
}

/** The command line of a process, null when there is none of that number. */
export async function commandOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return await ps('command=', pid);
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command === '' ? null : command.replaceAll('\0', ' ');
}

/** True once the process has gone, false when the time is up. */
export async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while ((await startOf(pid)) !== null) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** When the process started, in the system's own words; null for one that has ended. */
async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return await ps('lstart=', pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // proc(5): the second field is a name in brackets, which may hold spaces; state and start follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  return started === undefined || state === 'Z' ? null : started;
}

async function ps(field: string, pid: number): Promise<string | null> {
  const options = ['-o', field, '-p', String(pid)];
  const { stdout } = await promisify(execFile)('ps', options).catch(() => ({ stdout: '' }));
  return stdout.trim() || null;
}
