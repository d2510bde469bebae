// The files of tests that share a process. Without ava, because programs start the servers of tests too.
import type { Hook } from './file-turns.ts';

/** Null where each file has a process of its own. */
let afterLast: Hook[] | null = null;

/** Several files share this process. Returns the hooks that run after the last of them; more may be added later. */
export function shareProcess(): readonly Hook[] {
  afterLast ??= [];
  return afterLast;
}

/** Returns whether the file that is declared now shares its process with others. */
export function isProcessShared(): boolean {
  return afterLast !== null;
}

/** The hook runs after the last of the files that share this process. */
export function afterSharedFiles(hook: Hook): void {
  if (afterLast === null)
    throw new Error('Expected files that share a process, got one of its own');
  afterLast.push(hook);
}
