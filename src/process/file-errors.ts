// Explains the system's file errors to the person who runs a command, and says how to fix them.
import { errorCode, UserError } from './errors.ts';

interface Problem {
  /** Cause, completes "…: ". */
  readonly what: string;
  /** How to fix it. */
  readonly remedy: string;
  /** The wording of other programs, such as mongod in its log. */
  readonly wording: RegExp;
}

const PROBLEMS: Readonly<Record<string, Problem>> = {
  ENOSPC: {
    what: 'the disk is full',
    remedy: 'free space on it, then try again',
    wording: /No space left on device|ENOSPC/,
  },
  EDQUOT: {
    what: 'the disk quota is used up',
    remedy: 'free space or raise the quota, then try again',
    wording: /(?:Disk )?quota exceeded|EDQUOT/i,
  },
  EFBIG: {
    what: 'the file would be larger than it may be',
    remedy: 'raise the limit (ulimit -f), then try again',
    wording: /File too large|EFBIG/,
  },
  EROFS: {
    what: 'the file system is read-only',
    remedy: 'mount it writable, or name another folder in DATA_DIR',
    wording: /Read-only file system|EROFS/,
  },
  EACCES: {
    what: 'permission is denied',
    remedy: 'give the user of this process the right to it',
    wording: /Permission denied|EACCES/,
  },
  EPERM: {
    what: 'the operation is not permitted',
    remedy: 'give the user of this process the right to it',
    wording: /Operation not permitted|EPERM/,
  },
  EMFILE: {
    what: 'this process has too many open files',
    remedy: 'raise the limit (ulimit -n), then try again',
    wording: /Too many open files(?! in system)|EMFILE/,
  },
  ENFILE: {
    what: 'the system has too many open files',
    remedy: 'end what holds them, then try again',
    wording: /Too many open files in system|ENFILE/,
  },
  EIO: {
    what: 'the disk reports an input/output error',
    remedy: 'check the disk',
    wording: /Input\/output error|\bEIO\b/,
  },
  ENOTDIR: {
    what: 'a file stands where a folder is expected',
    remedy: 'move the file away, or name another folder in DATA_DIR',
    wording: /Not a directory|ENOTDIR/,
  },
  ENAMETOOLONG: {
    what: 'the path is longer than the system allows',
    remedy: 'name a folder with a shorter path',
    wording: /File name too long|ENAMETOOLONG/i,
  },
  EEXIST: {
    what: 'a file stands where a folder is expected',
    remedy: 'move the file away, or name another folder in DATA_DIR',
    wording: /File exists|EEXIST/,
  },
};

/** Returns the code of a system error about files that a person can fix, or null for any other error. */
export function fileErrorCode(error: unknown): string | null {
  const code = errorCode(error);
  // An address marks a connection error.
  const isFileError = error instanceof Error && 'syscall' in error && !('address' in error);
  return isFileError && code !== undefined && Object.hasOwn(PROBLEMS, code) ? code : null;
}

/** Returns such a code for the output of another program, or null. */
export function fileErrorCodeIn(text: string): string | null {
  return Object.keys(PROBLEMS).find(code => PROBLEMS[code]?.wording.test(text)) ?? null;
}

/** Returns one sentence with the cause and the remedy. */
export function fileProblem(code: string): string {
  const { what, remedy } = PROBLEMS[code] ?? { what: 'a file error', remedy: 'mend it' };
  return `${what} (${code}); ${remedy}`;
}

/**
 * Runs work on files, and turns file errors of the system into UserErrors.
 *
 * @param failed what failed, such as `Cannot write <path>`
 */
export async function explainFiles<T>(failed: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainedFile(failed, error);
  }
}

/** Returns a file error as a UserError, and any other error unchanged. */
export function explainedFile(failed: string, error: unknown, ending = ''): unknown {
  const code = fileErrorCode(error);
  if (code === null) return error;
  return new UserError(`${failed}: ${fileProblem(code)}${ending}`, { cause: error });
}

/** Returns one line for a file error that no caller has explained, or null for any other error. */
export function fileErrorLine(error: unknown): string | null {
  const code = fileErrorCode(error);
  if (code === null) return null;
  const { path } = error as NodeJS.ErrnoException;
  const where = path === undefined ? 'Stopped' : `Stopped at ${path}`;
  return `${where}: ${fileProblem(code)}`;
}
