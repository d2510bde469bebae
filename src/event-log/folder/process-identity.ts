// Tells one run of a process from another with the same number.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { errorCode, isMissing } from './layout.ts';

const PS_TIMEOUT_MS = 5_000;

/** A text that no other process with that id has had (its start time); null when none runs. */
export async function processIdentity(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);
}

/** proc(5): field 3 is the state, field 22 the start in ticks since boot. */
async function linuxIdentity(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, field 2, may hold spaces and brackets itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${fields[19]}`;
  } catch (error) {
    if (isMissing(error) || errorCode(error) === 'ESRCH') return null;
    throw error;
  }
}

function psIdentity(pid: number): Promise<string | null> {
  const options = { timeout: PS_TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  return new Promise((resolve, reject) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], options, (error, output) => {
      // ps leaves with status 1 when it finds no process; anything else it says on its own account.
      if (error !== null && error.code !== 1) reject(error);
      else resolve(output.trim() === '' ? null : output.trim());
    });
  });
}
