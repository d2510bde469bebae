// The `test` of a file that may share its process with others: their tests run file after file, each file between its own
// hooks, so that none notices another. Where a file has a process of its own, this is ava's `test`.
import { setImmediate } from 'node:timers';
import ava, { type ExecutionContext, type ImplementationFn } from 'ava';
import {
  type Hook,
  type SharingFile,
  sharingFile,
  takeTurns,
  type WaitingTest,
} from './file-turns.ts';
import { afterSharedFiles, shareProcess } from './process-files.ts';

type Body = ImplementationFn<[]>;
type Declare = (title: string, body: Body) => void;

/** What such a file uses of ava. */
export interface FileTest extends Declare {
  readonly serial: Declare & { before(hook: Hook): void };
  before(hook: Hook): void;
  readonly after: { always(hook: Hook): void };
  readonly afterEach: { always(hook: Hook): void };
}

let file: SharingFile | null = null;
let turns: Promise<unknown[]> | null = null;
const waiting: WaitingTest[] = [];

/** What is declared from now on belongs to this file. */
export function beginFile(name: string): void {
  if (file === null) {
    const afterLast = shareProcess();
    ava.after.always('hooks of the files', async () => {
      const failed = (await turns) ?? [];
      for (const hook of afterLast) await hook();
      if (failed.length > 0) throw new AggregateError(failed, String(failed[0]));
    });
  }
  file = sharingFile(name);
}

/** The hook runs after the last file of the process. */
export function afterFiles(hook: Hook): void {
  if (file === null) ava.after.always(hook);
  else afterSharedFiles(hook);
}

function declare(isSerial: boolean): Declare {
  return (title, body) => {
    const own = file;
    if (own === null) (isSerial ? ava.serial : ava)(title, body);
    else ava(`${own.name} › ${title}`, t => inTurn(t, { file: own, isSerial, body }));
  };
}

function inTurn(
  t: ExecutionContext,
  { body, ...test }: Pick<WaitingTest, 'file' | 'isSerial'> & { readonly body: Body },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const start = () =>
      new Promise<void>(ended => {
        // What is registered first is torn down last.
        t.teardown(async () => {
          try {
            for (const hook of test.file.afterEach) await hook();
          } finally {
            ended();
          }
        });
        resolve((async () => void (await body(t)))());
      });
    waiting.push({ ...test, start, fail: reject });
    // ava starts all tests before it waits for one of them.
    turns ??= new Promise(begin => setImmediate(begin)).then(() => takeTurns(waiting));
  });
}

function before(hook: Hook): void {
  if (file === null) ava.serial.before(hook);
  else file.before.push(hook);
}

function after(hook: Hook): void {
  if (file === null) ava.after.always(hook);
  else file.after.push(hook);
}

function afterEach(hook: Hook): void {
  if (file === null) ava.afterEach.always(hook);
  else file.afterEach.push(hook);
}

export const test: FileTest = Object.assign(declare(false), {
  serial: Object.assign(declare(true), { before }),
  before,
  after: { always: after },
  afterEach: { always: afterEach },
});
