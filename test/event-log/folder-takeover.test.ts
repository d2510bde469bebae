// A writer that stands still just before it writes the mark, while another takes over: nothing that was confirmed is lost.
import files, { mkdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { openOrCreate } from '../../src/event-log/folder/create.ts';
import { openWriter } from '../../src/event-log/folder/writer.ts';
import { gate } from '../helpers/gate.ts';
import { createRandom } from '../histories/random.ts';
import { openForTest, temporaryPath } from './folder-log-under-test.ts';
import { readAll, records, valuesOf } from './log-under-test.ts';

type Step = 'open' | 'write' | 'rename';

/** The next time that a mark comes to this step it waits for `resume`: a file of that name is opened, written, renamed to. */
function holdNextMark(step: Step = 'open', name = /^mark\..+\.tmp$/) {
  const [reached, resumed] = [gate(), gate()];
  const { open, rename } = files;
  const put = (next: Partial<typeof files>) => {
    Object.assign(files, next);
    syncBuiltinESMExports();
  };
  const wait = async () => {
    put({ open, rename });
    reached.open();
    await resumed.opened;
  };
  put({
    async open(path, ...rest) {
      const isIt = name.test(basename(String(path)));
      if (isIt && step === 'open') await wait();
      const handle = await open(path, ...rest);
      if (!isIt || step !== 'write') return handle;
      const writeFile = handle.writeFile.bind(handle);
      const held: typeof writeFile = async (...given) => {
        await wait();
        await writeFile(...given);
      };
      return Object.assign(handle, { writeFile: held });
    },
    async rename(from, to) {
      if (step === 'rename' && name.test(basename(String(to)))) await wait();
      await rename(from, to);
    },
  });
  return { reached: reached.opened, resume: resumed.open };
}

async function newLog(t: Parameters<typeof temporaryPath>[0], isMade = true) {
  const folder = await temporaryPath(t);
  if (isMade) await (await openForTest(t, folder, { writer: true, partitions: 1 })).close();
  else await mkdir(folder);
  const options = { folder, partitions: 1, segmentBytesMax: 100_000_000 };
  const values = async () => {
    const log = await openForTest(t, folder);
    return (await readAll(log)).map(({ value }) => value);
  };
  return { options, values };
}

test.serial('as it begins: it refuses to begin', async t => {
  const { options, values } = await newLog(t);
  const { reached, resume } = holdNextMark();
  const beginning = openWriter(options);
  await reached;
  const other = await openWriter(options);
  await other.append(records(5));
  resume();
  await t.throwsAsync(beginning, { message: 'Another process has written to the log' });
  await other.append(records(2, 5));
  await other.close();
  t.deepEqual(await values(), valuesOf(records(7)));
});

const STEPS = {
  'before it drafts its mark': () => holdNextMark('open'),
  'before it writes its draft': () => holdNextMark('write'),
  'before it puts its draft in place': () => holdNextMark('rename', /^mark\.tmp$/),
  'before its draft becomes the mark': () => holdNextMark('rename', /^mark$/),
};

for (const [when, hold] of Object.entries(STEPS)) {
  for (const count of [2, 0]) {
    test.serial(`${when}, and the other appends ${count} records: it confirms nothing`, async t => {
      const { options, values } = await newLog(t);
      const writer = await openWriter(options);
      const { reached, resume } = hold();
      const appending = writer.append(records(3, 100));
      await reached;
      const other = await openWriter(options);
      await other.append(records(count));
      resume();
      await t.throwsAsync(appending, {
        message: /^The log did not confirm the records \(Another process has written to the log\)/,
      });
      await other.append(records(1, count));
      await Promise.all([writer.close(), other.close()]);
      t.deepEqual(await values(), valuesOf(records(count + 1)));
    });
  }

  test.serial(`${when} for the first time: the log that the other made stays`, async t => {
    const { options, values } = await newLog(t, false);
    const { reached, resume } = hold();
    const creating = openOrCreate(options.folder, 1, true);
    await reached;
    await openOrCreate(options.folder, 1, true);
    const other = await openWriter(options);
    await other.append(records(5));
    resume();
    await t.throwsAsync(creating, { message: 'Another process has written to the log' });
    await other.append(records(2, 5));
    await other.close();
    t.deepEqual(await values(), valuesOf(records(7)));
  });
}

test.serial('a log that the other has just made is not made again', async t => {
  const { options, values } = await newLog(t, false);
  const { reached, resume } = holdNextMark('open', /^log\.json\..+\.tmp$/);
  const creating = openOrCreate(options.folder, 3, true);
  await reached;
  await openOrCreate(options.folder, 1, true);
  resume();
  await t.throwsAsync(creating, { message: /was made with 1 partitions, expected 3/ });
  const writer = await openWriter(options);
  await writer.append(records(5));
  await writer.close();
  t.deepEqual(await values(), valuesOf(records(5)));
});

test.serial('as both go on by turns: what one confirms stays', async t => {
  const outcomes = new Set<string>();
  const { open, rename, readFile } = files;
  const random = createRandom(1);
  const turn = async () => {
    for (let turns = random.below(3) * random.below(12); turns > 0; turns -= 1) await nextTurn();
  };
  const slow = <T extends unknown[], R>(act: (...given: T) => Promise<R>) => {
    return async (...given: T) => {
      await turn();
      return await act(...given);
    };
  };
  t.teardown(() => {
    Object.assign(files, { open, rename, readFile });
    syncBuiltinESMExports();
  });
  for (let round = 0; round < 60; round += 1) {
    const { options, values } = await newLog(t);
    const writer = await openWriter(options);
    const { reached, resume } = holdNextMark();
    const appending = writer.append(records(3, 100));
    await reached;
    Object.assign(files, { open: slow(open), rename: slow(rename), readFile: slow(readFile) });
    syncBuiltinESMExports();
    const taking = openWriter(options).then(async other => {
      await other.append(records(2));
      await other.append(records(2, 2));
      await other.close();
    });
    resume();
    const [first, second] = await Promise.allSettled([appending, taking]);
    await writer.close();
    Object.assign(files, { open, rename, readFile });
    syncBuiltinESMExports();
    const found = await values();
    if (first.status === 'fulfilled') t.deepEqual(found.slice(0, 3), valuesOf(records(3, 100)));
    if (second.status === 'fulfilled') t.deepEqual(found.slice(-4), valuesOf(records(4)));
    outcomes.add(`${first.status} ${second.status}`);
  }
  t.true(
    outcomes.has('fulfilled rejected') && outcomes.has('rejected fulfilled'),
    [...outcomes].join(),
  );
});
