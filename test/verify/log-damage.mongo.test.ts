// Verification distinguishes damage of the log from differences of the read model, with its own exit code and advice.
import { truncate } from 'node:fs/promises';
import type { ExecutionContext } from 'ava';
import { verifyCommand } from '../../src/commands/verify.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { segmentFile } from '../../src/event-log/folder/layout.ts';
import { UserError } from '../../src/process/errors.ts';
import { completeIndexes } from '../../src/store/collections.ts';
import { lastVerifications } from '../../src/store/verifications.ts';
import { invoke } from '../commands/invoke.ts';
import { createLogScene } from '../commands/log-scene.ts';
import { openForTest, temporaryPath } from '../event-log/folder-log-under-test.ts';
import { test } from '../helpers/file-test.ts';
import { ensureGeneration } from '../helpers/generation.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import type { StubLog } from '../projector/log-in-memory.ts';
import { createPartitionScene, type PartitionScene } from '../projector/partition-scene.ts';

const mongo = useMongo(test);

const NOW = new Date('2026-03-14T09:26:53.589Z');
const DAMAGED = 'The log is damaged: do not rebuild from it, see DATA_LOSS in docs/operations.md';

function story(subject: string): LogEvent[] {
  const eventOf = eventMaker(subject);
  return [CREATED, payee('a'), payee('b'), payee('c')].map(draft => eventOf(draft));
}

async function createScene(): Promise<PartitionScene> {
  const db = mongo.database('log_damage');
  await ensureGeneration(db);
  const scene = await createPartitionScene(db);
  await scene.tell(...story('budget-1'), ...story('budget-2'));
  return scene;
}

interface Verified {
  readonly printed: readonly string[];
  readonly message: string;
  readonly code: number;
}

async function verified(
  { db, store, now = () => NOW }: Pick<PartitionScene, 'db' | 'store'> & { now?: () => Date },
  eventLog: EventLog,
  ...args: string[]
): Promise<Verified> {
  const printed: string[] = [];
  const source = { database: db, generation: 'g1', store, eventLog, pausesMs: [] };
  const print = (line: string) => void printed.push(line);
  const { signal } = new AbortController();
  const context = { source, now, signal, print, isTerminal: false };
  try {
    await invoke(verifyCommand, args, context);
    return { printed, message: '', code: 0 };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { printed, message: error.message, code: error.exitCode };
  }
}

function expectDamage(
  t: ExecutionContext,
  { printed, message, code }: Verified,
  line: RegExp,
): void {
  t.true(
    printed.some(one => line.test(one)),
    printed.join('\n'),
  );
  t.is(message, DAMAGED);
  t.is(code, 3);
}

const DAMAGES: Readonly<Record<string, readonly [(eventLog: StubLog) => void, RegExp]>> = {
  'records are removed in the middle': [
    eventLog => void eventLog.hidden.add(5),
    /^the test log, partition 0: sequence 2 of budget-2 was applied, but the log goes on with sequence 3$/,
  ],
  'the first record of a stream is removed': [
    eventLog => void eventLog.hidden.add(4),
    /^the test log, partition 0: sequence 1 of budget-2 was applied, but the log goes on with sequence 2$/,
  ],
  'the start moved': [
    eventLog => {
      eventLog.start = 2;
    },
    /^DATA_LOSS in the test log, partition 0: expected the log to begin at offset 0, got offset 2$/,
  ],
  'the end is gone': [
    eventLog => void eventLog.records.pop(),
    /^DATA_LOSS in the test log, partition 0: expected offset 8 next, but the log holds offsets 0 to 6$/,
  ],
  'everything is gone': [
    eventLog => void eventLog.records.splice(0),
    /^DATA_LOSS in the test log, partition 0: expected offset 8 next, but the log holds no record$/,
  ],
  'the first record is another': [
    eventLog => {
      const [first] = eventLog.records;
      if (first) eventLog.records[0] = { ...first, value: Buffer.from('{}') };
    },
    /^DATA_LOSS in the test log, partition 0: the record at offset 0 is not the one that was applied$/,
  ],
};

for (const [what, [damage, line]] of Object.entries(DAMAGES)) {
  test(`exit code 3 where ${what}`, async t => {
    const scene = await createScene();
    const before = await verified(scene, scene.eventLog);
    t.is(before.printed.at(-1), '2 streams, 6 documents, 0 differences');
    damage(scene.eventLog);
    const found = await verified(scene, scene.eventLog);
    expectDamage(t, found, line);
    t.regex(found.printed.at(-1) ?? '', /, 0 differences, 1 damage of the log$/);
    const [stored] = await lastVerifications(scene.db);
    t.like(stored, { scope: 'all', differences: 0, damages: 1 });
    const { code } = await verified(scene, scene.eventLog, '--budget', 'budget-2');
    t.is(code, 3);
    t.is((await verified(scene, scene.eventLog, '--sample', '10')).code, 3);
  });
}

test('damage that cannot be stored as a result still exits with 3', async t => {
  const scene = await createScene();
  scene.eventLog.hidden.add(5);
  const times = [new Date()];
  const now = () => {
    // At the end, when the result is stored.
    const time = times.pop();
    if (!time) throw new Error('The database is away');
    return time;
  };
  expectDamage(t, await verified({ ...scene, now }, scene.eventLog), /sequence 2 of budget-2/);
});

test('damage of the log and differences of the read model are reported together, damage first', async t => {
  const scene = await createScene();
  scene.eventLog.hidden.add(5);
  await scene.store.collections.payees.deleteOne({ set: '0-0' });
  const found = await verified(scene, scene.eventLog);
  expectDamage(t, found, /^the test log, partition 0: sequence 2 of budget-2/);
  t.true(found.printed.some(line => /^budget-1: payees\/a: .* stored nothing$/.test(line)));
  const json = await verified(scene, scene.eventLog, '--json');
  t.like(JSON.parse(json.printed[0] ?? ''), { differences: 1, damages: 1, warning: null });
});

test('where an applied event cannot be applied any more, nobody is sent to a rebuild', async t => {
  const scene = await createScene();
  const [, record] = scene.eventLog.records;
  const text = String(record?.value).replace('"time":"', '"time":"x');
  if (record) Object.assign(record, { value: Buffer.from(text) });
  const { message, code, printed } = await verified(scene, scene.eventLog);
  t.true(printed.some(line => /^budget-1: the log: expected sequence 2: /.test(line)));
  t.regex(message, /^An event that was applied cannot be applied .* compare the log with a backup/);
  t.is(code, 1);
});

test('differences alone exit with 1, and the message says how to repair them', async t => {
  const scene = await createScene();
  await scene.store.collections.payees.deleteOne({ set: '0-0' });
  const { message, code } = await verified(scene, scene.eventLog);
  t.is(message, 'The read model differs from the log: budgeting rebuild mends it');
  t.is(code, 1);
  const other = await createScene();
  const held = { since: NOW.toISOString(), why: 'parked', reason: 'x', queued: 0 } as const;
  await other.store.collections.heads.updateOne({ _id: 'budget-1' }, { $set: { held } });
  t.regex((await verified(other, other.eventLog)).message, /parked retry STREAM may mend it/);
  const third = await createScene();
  await third.store.collections.waiting.dropIndexes();
  const lacking = await verified(third, third.eventLog);
  t.is(lacking.message, 'The read model lacks indexes: a running projector builds them');
  t.is(lacking.code, 1);
});

test('a stream whose waiting events were manually counted as applied is no damage of the log', async t => {
  const scene = await createScene();
  const eventOf = eventMaker('budget-3');
  const [first, , third] = [CREATED, payee('a'), payee('b')].map(draft => eventOf(draft));
  await scene.tell(first as LogEvent, third as LogEvent);
  t.is((await verified(scene, scene.eventLog)).code, 0);
  await scene.store.collections.heads.updateOne({ _id: 'budget-3' }, { $set: { sequence: 9 } });
  const { code, printed } = await verified(scene, scene.eventLog);
  t.is(code, 1, printed.join('\n'));
});

test('settings with which the log would lose events are a warning', async t => {
  const scene = await createScene();
  const log = { ...scene.eventLog, settingsProblem: async () => 'It keeps nothing' };
  const { code, printed } = await verified(scene, log);
  t.is(code, 0);
  t.true(printed.includes('Warning: It keeps nothing'));
});

test('a stream that neither the log nor the store knows is unknown', async t => {
  const scene = await createScene();
  const { code, message } = await verified(scene, scene.eventLog, '--budget', 'nobody');
  t.is(message, 'Unknown stream nobody');
  t.is(code, 1);
});

test('an unreadable segment of the embedded log is damage', async t => {
  const folder = await temporaryPath(t);
  const options = { writer: true, partitions: 1, segmentBytesMax: 500 };
  const eventLog = await openForTest(t, folder, options);
  const db = mongo.database('log_damage');
  const scene = await createLogScene(t, db, eventLog);
  await completeIndexes(scene.store.collections);
  const events = story('budget-1');
  await eventLog.append(
    events.map(event => ({ key: event.subject, value: JSON.stringify(event) })),
  );
  await scene.project();
  t.is((await verified(scene, eventLog)).code, 0);
  await truncate(segmentFile(folder, 0, 0), 300);
  expectDamage(
    t,
    await verified(scene, eventLog),
    /\.ndjson .*; restore the folder from a backup$/,
  );
});
