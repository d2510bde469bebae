// A writer that stands still just before it writes the mark, while another takes over: nothing that was confirmed is lost.
import files, { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { openOrCreate } from '../../src/event-log/folder/create.ts';
import { openWriter } from '../../src/event-log/folder/writer.ts';
import { UserError } from '../../src/process/errors.ts';
import { gate } from '../helpers/gate.ts';
import { createRandom } from '../histories/random.ts';
import { openForTest, temporaryPath } from './folder-log-under-test.ts';
import { readAll, records, valuesOf } from './log-under-test.ts';

const TAKEN = {
  instanceOf: UserError,
  message: /^Another process has written to the log in \S+: try again when it has ended$/,
};
/** The name by which drafts become the mark. */
const COMMON = /^mark\.\d+\..+\.tmp$/;
const META = /^log\.json\..+\.tmp$/;

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
  await t.throwsAsync(beginning, TAKEN);
  await other.append(records(2, 5));
  await other.close();
  t.deepEqual(await values(), valuesOf(records(7)));
});

test.serial('before it removes uncommitted lines: it removes none', async t => {
  const { options, values } = await newLog(t);
  const before = await openWriter(options);
  await before.append(records(2));
  await before.close();
  const { reached, resume } = holdNextMark('open', /\.ndjson$/);
  const beginning = openWriter(options);
  await reached;
  const other = await openWriter(options);
  await other.append(records(5, 2));
  resume();
  await t.throwsAsync(beginning, TAKEN);
  await other.close();
  t.deepEqual(await values(), valuesOf(records(7)));
});

test.serial(
  'as it begins, and goes on while the other commits: the commit is that of the other',
  async t => {
    const { options, values } = await newLog(t);
    const writer = await openWriter(options);
    const first = holdNextMark('rename', COMMON);
    const beginning = openWriter(options);
    await first.reached;
    await writer.append(records(3));
    const second = holdNextMark('rename', /^mark$/);
    const appending = writer.append(records(2, 3));
    await second.reached;
    first.resume();
    await t.throwsAsync(beginning, TAKEN);
    second.resume();
    await appending;
    await writer.close();
    t.deepEqual(await values(), valuesOf(records(5)));
  },
);

const STEPS = {
  'before it drafts its mark': () => holdNextMark('open'),
  'before it writes its draft': () => holdNextMark('write'),
  'before it puts its draft in place': () => holdNextMark('rename', COMMON),
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
        message:
          /^The log did not confirm the records \(Another process has written to the log in .*\)/,
      });
      await other.append(records(1, count));
      await Promise.all([writer.close(), other.close()]);
      t.deepEqual(await values(), valuesOf(records(count + 1)));
    });
  }
}

const CREATING = {
  'before it drafts the first mark': () => holdNextMark('open'),
  'before it writes the first mark': () => holdNextMark('write'),
  'before it drafts log.json': () => holdNextMark('open', META),
  'before it writes log.json': () => holdNextMark('write', META),
};

for (const [when, hold] of Object.entries(CREATING)) {
  test.serial(`${when}: the log that the other makes and writes to stays`, async t => {
    const { options, values } = await newLog(t, false);
    const { reached, resume } = hold();
    const creating = openOrCreate(options.folder, 1, true);
    await reached;
    await openOrCreate(options.folder, 1, true);
    const other = await openWriter(options);
    await other.append(records(5));
    resume();
    t.is(await creating, 1);
    await other.append(records(2, 5));
    await other.close();
    t.deepEqual(await values(), valuesOf(records(7)));
  });

  test.serial(
    `${when}, which the other makes with other partitions: one number is kept`,
    async t => {
      const { options, values } = await newLog(t, false);
      const { reached, resume } = hold();
      const creating = openOrCreate(options.folder, 3, true);
      await reached;
      const other = await openOrCreate(options.folder, 1, true).finally(resume);
      t.is(await creating, other);
      const log = await openForTest(t, options.folder, { writer: true });
      t.is(await log.partitions(), other);
      await log.append(records(5));
      t.deepEqual((await values()).sort(), valuesOf(records(5)).sort());
    },
  );
}

test('a mark that a writer has left without log.json is no new log', async t => {
  const { options } = await newLog(t);
  await (await openWriter(options)).close();
  await rm(join(options.folder, 'log.json'));
  await t.throwsAsync(openOrCreate(options.folder, 1, true), {
    instanceOf: UserError,
    message: /log\.json is missing beside a mark that a writer has left/,
  });
});

test('drafts of processes that were killed are removed', async t => {
  const { options } = await newLog(t);
  for (const name of ['mark.x.tmp', 'mark.1.y.tmp', 'log.json.z.tmp']) {
    await writeFile(join(options.folder, name), '');
  }
  await (await openWriter(options)).close();
  const names = await readdir(options.folder);
  t.deepEqual(
    names.filter(name => name.endsWith('.tmp')),
    [],
  );
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
