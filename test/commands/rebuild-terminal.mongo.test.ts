// `rebuild` on a terminal: its lines stay, because the bar is cleared before each of them.
import { followBuild } from '../../src/commands/operating/follow-build.ts';
import { switched, withNew, withState } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { stubLog } from '../projector/log-in-memory.ts';

const mongo = useMongo(test);

/** Collects what reaches the terminal, in order: printed lines and the text of the bar. */
function terminal() {
  const written: string[] = [];
  const { stderr } = process;
  const { write, isTTY } = stderr;
  stderr.isTTY = true;
  stderr.write = chunk => written.push(String(chunk)) > 0;
  return {
    written,
    print: (line: string) => written.push(`${line}\n`),
    restore: () => Object.assign(stderr, { write, isTTY }),
  };
}

test('the lines of a build stay when its bar is cleared', async t => {
  const readModel = mongo.database('rebuild');
  await changeRegistry(readModel, read => withNew(read, 1, new Date()));
  const { written, print, restore } = terminal();
  const shows = async (text: string) => {
    while (!written.some(chunk => chunk.includes(text))) await new Promise(setImmediate);
  };
  try {
    const { signal } = new AbortController();
    const context = { readModel, eventLog: stubLog(), print, isTerminal: true, signal };
    const done = followBuild('g1', context);
    await shows('Building g1');
    const verified = { done: 20, total: 50 };
    const fields = { state: 'verifying', verified, waitsFor: 'The test' } as const;
    await changeRegistry(readModel, read => withState(read, 'g1', fields));
    await shows('Verifying g1');
    const indexing = { percent: 42 };
    await changeRegistry(readModel, read => withState(read, 'g1', { ...fields, indexing }));
    await shows('Indexing g1');
    await changeRegistry(readModel, read => switched(read, 'g1', new Date()));
    await done;
  } finally {
    restore();
  }
  t.true(written.includes('g1 is not switched to: The test\n'));
  t.is(written.at(-1), 'Generation g1 is active\n');
});
