// `rebuild` prints its progress until the switch, or until the build has failed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { rebuildCommand } from '../../src/commands/rebuild.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { UnfinishedError, UserError } from '../../src/process/errors.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { switched, withFailure, withState } from '../../src/store/generation-plan.ts';
import { changeRegistry, type GenerationRecord, readRegistry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { invoke } from './invoke.ts';

const mongo = useMongo(test);

/** The context of the command; no process builds. */
function contextOf(readModel: Db, eventLog: EventLog, printed: string[]) {
  const stopping = new AbortController();
  const { client } = mongo;
  const context = {
    connection: {
      client,
      readModel,
      database: (name: string) => client.db(name),
      close: async () => {},
    },
    log: { eventLog, signal: stopping.signal },
    version: 2,
    now: () => new Date(),
    print: (line: string) => printed.push(line),
    isTerminal: false,
  };
  return { context, printed, stopping };
}

/** Requests a generation of a log with ten records; no process builds it. */
async function rebuilding() {
  const readModel: Db = mongo.database('rebuild');
  const eventLog = stubLog();
  eventLog.add(...Array.from({ length: 10 }, () => ({ key: 'budget-1', raw: '{}' })));
  const { context, printed, stopping } = contextOf(readModel, eventLog, []);
  const done = invoke(rebuildCommand, [], context);
  done.catch(() => {});
  while ((await readRegistry(readModel)).generations.length === 0) await sleep(20);
  const change = (fields: Partial<GenerationRecord>) =>
    changeRegistry(readModel, read => withState(read, 'g1', fields));
  const expectLine = async (line: string) => {
    while (!printed.includes(line)) await sleep(20);
  };
  return { readModel, log: eventLog, printed, stopping, done, change, expectLine };
}

test('without a terminal each step of progress prints one line, and a stop is no success', async t => {
  const { readModel, printed, stopping, done } = await rebuilding();
  const checkpoint = {
    ...{ epoch: 1, next: 5, owner: 'tests', sessions: [], fingerprints: [] },
    partitions: 1,
  };
  await generationCollections(readModel, 'g1').checkpoints.insertOne({ _id: 0, ...checkpoint });
  while (printed.length < 2) await sleep(20);
  stopping.abort();
  await t.throwsAsync(done, {
    instanceOf: UnfinishedError,
    message: 'Generation g1 is still being built: see budgeting status',
  });
  t.deepEqual(printed, [
    'Building generation g1 beside the one that answers; the projectors do it',
    'Building g1: 5 of 10 (50 %)',
  ]);
});

test('a failed build prints its reason', async t => {
  const { readModel, done } = await rebuilding();
  await changeRegistry(readModel, read =>
    withFailure(read, 'g1', { reason: 'The test', now: new Date() }),
  );
  await t.throwsAsync(done, { instanceOf: UserError, message: 'Generation g1 failed: The test' });
});

test('the reason why a build waits is printed once each time, and verification prints progress', async t => {
  const { printed, done, change, expectLine, readModel } = await rebuilding();
  await change({ waitsFor: 'The test' });
  await expectLine('g1 is not switched to: The test');
  await sleep(600);
  await change({ waitsFor: 'Another test' });
  await expectLine('g1 is not switched to: Another test');
  await change({ state: 'verifying', waitsFor: null, verified: { done: 20, total: 50 } });
  await expectLine('Verifying g1: 20 of 50 (40 %)');
  await changeRegistry(readModel, read => switched(read, 'g1', new Date()));
  await done;
  t.is(printed.filter(line => line.includes('The test')).length, 1);
  t.is(printed.at(-1), 'Generation g1 is active');
});

test('a second build is refused with the progress of the first and what to do', async t => {
  const { readModel, log: eventLog, stopping, done, change } = await rebuilding();
  await change({ waitsFor: 'The test' });
  const message =
    'Generation g1 is being built already, by version 2; 0 of 10 events are applied (0 %); waits: The test; budgeting rebuild --abandon gives it up';
  await t.throwsAsync(invoke(rebuildCommand, [], contextOf(readModel, eventLog, []).context), {
    instanceOf: UserError,
    message,
  });
  stopping.abort();
  await t.throwsAsync(done, { instanceOf: UnfinishedError });
});

test('--abandon ends the build and prints what follows, and a process that watched the build ends with 1', async t => {
  const { readModel, log: eventLog, done } = await rebuilding();
  const { context, printed } = contextOf(readModel, eventLog, []);
  await invoke(rebuildCommand, ['--abandon'], { ...context, log: null });
  t.deepEqual(printed, [
    'Generation g1 (version 2) is given up; no generation answers yet',
    'Version 2 builds again only when asked to: budgeting rebuild from an image of version 2',
  ]);
  await t.throwsAsync(done, {
    instanceOf: UserError,
    message: 'Generation g1 failed: Given up by an operator',
  });
  await t.throwsAsync(invoke(rebuildCommand, ['--abandon'], { ...context, log: null }), {
    message: /^There is no build to give up: g1 is failed/,
  });
});
