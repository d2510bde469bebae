// The log lines of quarantined records: the first one at once, the others together.
import { createQuarantineLog } from '../../src/projector/quarantine-log.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { memoryLog } from '../http/memory-log.ts';

const quarantined = (offset: number) => ({ partition: 3, offset, reason: `Reason ${offset}` });

test('the first record is logged at once, with its place and the reason', t => {
  const { logger, lines } = memoryLog();
  createQuarantineLog(logger).report([quarantined(7)]);
  t.is(lines.length, 1);
  t.like(lines[0], { level: 40, partition: 3, offset: 7, msg: 'Record quarantined: Reason 7' });
});

test('the records that come meanwhile are one line, however many they are', async t => {
  const { logger, lines } = memoryLog();
  const quarantineLog = createQuarantineLog(logger, 1);
  quarantineLog.report(Array.from({ length: 1000 }, (_, offset) => quarantined(offset)));
  t.is(lines.length, 1);
  await eventually(t, async attempt => void attempt.is(lines.length, 2));
  const msg = '999 more records quarantined, the last one: Reason 999';
  t.like(lines[1], { partition: 3, offset: 999, msg });
});
