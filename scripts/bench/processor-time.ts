// The processor time of processes, from Linux's /proc.
import { readFile } from 'node:fs/promises';

/** The unit in which Linux reports processor time, on all architectures. */
const TICKS_PER_SECOND = 100;

/** Returns the processor time that a process and its children have taken so far, in seconds. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is a name in parentheses, which may contain spaces. The times of the program itself and of the
  // kernel for it are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  let seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const child of children.match(/\d+/g) ?? [])
    seconds += await processorSeconds(Number(child));
  return seconds;
}
