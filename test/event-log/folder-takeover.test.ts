// A writer that stands still just before it writes the mark, while another takes over: nothing that was confirmed is lost.
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import test from 'ava';
import { openWriter } from '../../src/event-log/folder/writer.ts';
import { gate } from '../helpers/gate.ts';
import { openForTest, temporaryPath } from './folder-log-under-test.ts';
import { readAll, records, valuesOf } from './log-under-test.ts';

/** The next time that a mark is drafted it waits for `resume`. */
function holdNextMark() {
  const [reached, resumed] = [gate(), gate()];
  const original = files.open;
  files.open = async (path, flags, mode) => {
    if (String(path).endsWith('mark.tmp')) {
      files.open = original;
      syncBuiltinESMExports();
      reached.open();
      await resumed.opened;
    }
    return await original(path, flags, mode);
  };
  syncBuiltinESMExports();
  return { reached: reached.opened, resume: resumed.open };
}

async function newLog(t: Parameters<typeof temporaryPath>[0]) {
  const folder = await temporaryPath(t);
  await (await openForTest(t, folder, { writer: true, partitions: 1 })).close();
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

for (const count of [2, 0]) {
  test.serial(
    `as it commits, and the other appends ${count} records: it confirms nothing`,
    async t => {
      const { options, values } = await newLog(t);
      const writer = await openWriter(options);
      const { reached, resume } = holdNextMark();
      const appending = writer.append(records(3, 100));
      await reached;
      const other = await openWriter(options);
      resume();
      await t.throwsAsync(appending, {
        message: /^The log did not confirm the records \(Another process has written to the log\)/,
      });
      await other.append(records(count));
      await Promise.all([writer.close(), other.close()]);
      t.deepEqual(await values(), valuesOf(records(count)));
    },
  );
}
