// What the system's errors of files mean for the person who runs a command, and what mends them.
import { errorCode, UserError } from './errors.ts';

interface Problem {
  /** Completes "…: ". */
  readonly what: string;
  readonly mend: string;
  /** How other programs word it, such as mongod in its log. */
  readonly words: RegExp;
}

const PROBLEMS: Readonly<Record<string, Problem>> = {
  ENOSPC: {
    what: 'the disk is full',
    mend: 'free space on it, then try again',
    words: /No space left on device|ENOSPC/,
  },
  EDQUOT: {
    what: 'the disk quota is used up',
    mend: 'free space or raise the quota, then try again',
    words: /(?:Disk )?quota exceeded|EDQUOT/i,
  },
  EFBIG: {
    what: 'the file would be larger than it may be',
    mend: 'raise the limit (ulimit -f), then try again',
    words: /File too large|EFBIG/,
  },
  EROFS: {
    what: 'the file system is read-only',
    mend: 'mount it writable, or name another folder in DATA_DIR',
    words: /Read-only file system|EROFS/,
  },
  EACCES: {
    what: 'permission is denied',
    mend: 'give the user of this process the right to it',
    words: /Permission denied|EACCES/,
  },
  EPERM: {
    what: 'the operation is not permitted',
    mend: 'give the user of this process the right to it',
    words: /Operation not permitted|EPERM/,
  },
  EMFILE: {
    what: 'this process has too many open files',
    mend: 'raise the limit (ulimit -n), then try again',
    words: /Too many open files(?! in system)|EMFILE/,
  },
  ENFILE: {
    what: 'the system has too many open files',
    mend: 'end what holds them, then try again',
    words: /Too many open files in system|ENFILE/,
  },
  EIO: {
    what: 'the disk reports an input/output error',
    mend: 'check the disk',
    words: /Input\/output error|\bEIO\b/,
  },
  ENOTDIR: {
    what: 'a file stands where a folder is expected',
    mend: 'move the file away, or name another folder in DATA_DIR',
    words: /Not a directory|ENOTDIR/,
  },
  EEXIST: {
    what: 'a file stands where a folder is expected',
    mend: 'move the file away, or name another folder in DATA_DIR',
    words: /File exists|EEXIST/,
  },
};

/** Returns the code of an error of the system about a file that a person can mend, or null for any other error. */
export function fileErrorCode(error: unknown): string | null {
  const code = errorCode(error);
  // Errors of connections carry an address.
  const isOfSystem = error instanceof Error && 'syscall' in error && !('address' in error);
  return isOfSystem && code !== undefined && Object.hasOwn(PROBLEMS, code) ? code : null;
}

/** The same for what another program said. */
export function fileErrorCodeIn(text: string): string | null {
  return Object.keys(PROBLEMS).find(code => PROBLEMS[code]?.words.test(text)) ?? null;
}

/** Returns one sentence that says why, and what to do. */
export function fileProblem(code: string): string {
  const { what, mend } = PROBLEMS[code] ?? { what: 'a file error', mend: 'mend it' };
  return `${what} (${code}); ${mend}`;
}

/**
 * Runs work on files, and turns the system's errors into a UserError.
 *
 * @param failed what did not succeed, such as `Cannot write <path>`
 */
export async function explainFiles<T>(failed: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainedFile(failed, error);
  }
}

/** Returns the error as a UserError where it is one of files, otherwise as it is. */
export function explainedFile(failed: string, error: unknown, ending = ''): unknown {
  const code = fileErrorCode(error);
  if (code === null) return error;
  return new UserError(`${failed}: ${fileProblem(code)}${ending}`, { cause: error });
}

/** Returns the one line for an error of files that nothing else has explained, or null for any other error. */
export function fileErrorLine(error: unknown): string | null {
  const code = fileErrorCode(error);
  if (code === null) return null;
  const { path } = error as NodeJS.ErrnoException;
  const where = path === undefined ? 'Stopped' : `Stopped at ${path}`;
  return `${where}: ${fileProblem(code)}`;
}
