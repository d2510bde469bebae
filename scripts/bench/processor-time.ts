// The processor time of processes, from Linux's /proc.
import { readFile } from 'node:fs/promises';

/** The unit in which Linux reports processor time, on all architectures. */
const TICKS_PER_SECOND = 100;

/**
 * Returns the processor time that a process and its children have taken so far, in seconds.
 * What a child that has ended took counts from the moment in which its parent has noticed.
 * @throws if there is no such process
 */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses, which may contain spaces. Fields 14 to 17 are the times of the program,
  // of the kernel for it, and the same two of its children that have ended.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const living = (children.match(/\d+/g) ?? []).map(child =>
    processorSeconds(Number(child)).catch(nothingIfEnded),
  );
  return sum(ticks) / TICKS_PER_SECOND + sum(await Promise.all(living));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A child may end after it was listed. Its folder is then missing, or says that there is no such process. */
function nothingIfEnded(error: NodeJS.ErrnoException): number {
  if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
  return 0;
}
