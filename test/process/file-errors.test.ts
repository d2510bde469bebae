// Errors of the file system become one sentence, whichever library reports them.
import { open, readFile } from 'node:fs/promises';
import { UserError } from '../../src/process/errors.ts';
import {
  explainFiles,
  fileErrorCode,
  fileErrorCodeIn,
  fileErrorLine,
  fileProblem,
} from '../../src/process/file-errors.ts';
import { test } from '../helpers/file-test.ts';

async function failure(operation: () => Promise<unknown>): Promise<unknown> {
  return operation().then(
    () => null,
    error => error,
  );
}

async function writeToFullDisk(): Promise<void> {
  const handle = await open('/dev/full', 'w');
  await handle.write('x').finally(() => handle.close());
}

test('a system error becomes a sentence with its code and what to do', async t => {
  const error = await failure(writeToFullDisk);
  t.is(fileErrorCode(error), 'ENOSPC');
  t.is(
    fileErrorLine(error),
    'Stopped: the disk is full (ENOSPC); free space on it, then try again',
  );
  const placed = await failure(() => readFile('/dev/null/x'));
  t.regex(String(fileErrorLine(placed)), /^Stopped at \/dev\/null\/x: a file stands where/);
  await t.throwsAsync(explainFiles('Cannot write it', writeToFullDisk), {
    instanceOf: UserError,
    message: 'Cannot write it: the disk is full (ENOSPC); free space on it, then try again',
  });
});

test('other errors stay unchanged', async t => {
  const missing = await failure(() => readFile('/nowhere'));
  const connection = Object.assign(new Error('x'), {
    ...{ code: 'EACCES', syscall: 'listen', address: '::' },
  });
  const ours = Object.assign(new Error('x'), { code: 'ENOSPC' });
  for (const error of [missing, connection, ours, null, 'ENOSPC']) {
    t.is(fileErrorCode(error), null);
    t.is(fileErrorLine(error), null);
  }
  t.is(await failure(() => explainFiles('Cannot', () => Promise.reject(ours))), ours);
});

test('messages of other programs are recognised too', t => {
  for (const [text, code] of [
    ['WiredTiger error message: No space left on device', 'ENOSPC'],
    ['write: Disk quota exceeded', 'EDQUOT'],
    ['open: Read-only file system', 'EROFS'],
    ['Attempted to create a lock file: Permission denied', 'EACCES'],
    ['accept: Too many open files', 'EMFILE'],
    ['accept: Too many open files in system', 'ENFILE'],
    ['pwrite: File too large', 'EFBIG'],
    ['read: Input/output error', 'EIO'],
    ['database corruption detected', null],
  ] as const) {
    t.is(fileErrorCodeIn(text), code, text);
    if (code !== null) t.regex(fileProblem(code), new RegExp(`\\(${code}\\); `));
  }
});
