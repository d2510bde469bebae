import test from 'ava';
import { checkLines, parseLines, type Tail, tailOf } from '../../src/event-log/check-append.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { splitLines } from '../../src/event-log/split-lines.ts';
import { openForTest, temporaryPath } from './folder-log-under-test.ts';

const NEW: Tail = { sequence: 0, id: null, waiting: new Set() };

function event(subject: string, sequence: number, parts: object = {}) {
  const value = JSON.stringify({
    ...{ specversion: '1.0', id: `${subject}-${sequence}`, source: '/test', type: 'label.added' },
    ...{ time: '2026-01-02T03:04:05Z', subject, sequence, schemaversion: 1 },
    data: { labelId: `l-${sequence}`, name: 'A name' },
    ...parts,
  });
  return { key: subject, value };
}

const ownPartitionOf = (subject: string) => partitionOf(subject, 4);

async function ends(eventLog: EventLog): Promise<number[]> {
  const partitions = [...Array(await eventLog.partitions()).keys()];
  return Promise.all(partitions.map(async partition => (await eventLog.bounds(partition)).end));
}

test('the tail of a stream is its last event in the log, even an invalid one', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t), { writer: true });
  await eventLog.append([
    ...[event('a', 1), event('b', 1), event('a', 2, { type: 'goal.set' })],
    ...[event('a', 3, { data: {} }), event('a', 4, { schemaversion: 9 }), event('c', 1)],
    { key: 'a', value: 'no JSON' },
  ]);
  const tails = await tailOf(
    eventLog,
    new Map([
      ['a', NEW],
      ['b', NEW],
      ['d', NEW],
    ]),
    [],
  );
  t.deepEqual(
    tails,
    new Map([
      ['a', { sequence: 4, id: 'a-4', waiting: new Set<number>() }],
      ['b', { sequence: 1, id: 'b-1', waiting: new Set<number>() }],
      ['d', NEW],
    ]),
  );
});

test('events that the read model has applied are not read again', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t), { writer: true });
  await eventLog.append([event('a', 1), event('a', 2), event('b', 1)]);
  const from = await ends(eventLog);
  await eventLog.append([event('a', 3), event('c', 1)]);
  const known = new Map([
    ['a', { ...NEW, sequence: 2, id: 'a-2' }],
    ['b', { ...NEW, sequence: 7 }],
    ['c', NEW],
  ]);
  const tails = await tailOf(eventLog, known, from);
  t.is(tails.get('a')?.sequence, 3);
  t.is(tails.get('b')?.sequence, 7);
  t.is(tails.get('c')?.sequence, 1);
});

test('events behind a gap wait, in the read model and in the log, until the missing one arrives', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t), { writer: true });
  await eventLog.append([event('a', 5), event('a', 9), event('a', 6)]);
  const known = new Map([['a', { sequence: 2, id: 'a-2', waiting: new Set([7]) }]]);
  const before = await tailOf(eventLog, known, []);
  t.like(before.get('a'), { sequence: 2, id: 'a-2', waiting: new Set([7, 5, 9, 6]) });
  await eventLog.append([event('a', 4), event('a', 3)]);
  const after = await tailOf(eventLog, known, []);
  t.like(after.get('a'), { sequence: 7, id: null, waiting: new Set([9]) });
});

test('a record of no stream, or in another partition, takes no sequence', async t => {
  const ownPartition = ownPartitionOf('a');
  const stray = event('b', 3);
  const records = [
    { partition: (ownPartition + 1) % 4, ...event('a', 1, { id: 'copy' }) },
    { partition: ownPartition, ...event('a', 1) },
    { partition: ownPartition, key: 'a', value: stray.value },
    { partition: ownPartition, key: null, value: event('a', 2).value },
    { partition: (ownPartition + 1) % 4, ...event('a', 2) },
    { partition: ownPartition, ...event('a', 3) },
  ].map((record, offset) => ({ ...record, offset, value: Buffer.from(record.value) }));
  const eventLog: EventLog = {
    ...(await openForTest(t, await temporaryPath(t))),
    bounds: async () => ({ start: 0, end: records.length }),
    async *scan({ partition }) {
      yield records.filter(record => record.partition === partition);
    },
  };
  const tails = await tailOf(eventLog, new Map([['a', NEW]]), []);
  t.deepEqual(tails.get('a'), { sequence: 1, id: 'a-1', waiting: new Set([3]) });
});

test('appending the same file twice reports every line as already in the log', async t => {
  const eventLog = await openForTest(t, await temporaryPath(t), { writer: true });
  const lines = [event('a', 1), event('b', 1), event('a', 2), event('b', 2), event('a', 3)];
  const file = Buffer.from(lines.map(({ value }) => `${value}\n`).join(''));
  const check = async () => {
    const parsed = await parseLines(splitLines([file]));
    return checkLines(
      parsed,
      await tailOf(
        eventLog,
        new Map([
          ['a', NEW],
          ['b', NEW],
        ]),
        [],
      ),
    );
  };
  const first = await check();
  t.deepEqual(first, { ok: true, records: lines });
  await eventLog.append(lines);
  const second = await check();
  const problems = second.ok ? [] : second.problems;
  t.deepEqual(
    problems.map(({ line }) => line),
    [1, 2, 3, 4, 5],
  );
  for (const { reason } of problems) t.regex(reason, /^Already in the log/);
});
