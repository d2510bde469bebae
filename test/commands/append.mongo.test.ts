// `append` checks the whole input first, then appends all of it or nothing (rules/events.md#append).
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { MongoNetworkError } from 'mongodb';
import { appendCommand } from '../../src/commands/append.ts';
import { parkedByAppend } from '../../src/commands/appending/parked-by-append.ts';
import { type AwaitedPositions, awaitApplied } from '../../src/commands/opening/await-applied.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { UserError } from '../../src/process/errors.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import type { Draft } from '../histories/row-actions.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { invoke } from './invoke.ts';
import { createLogScene, type LogScene } from './log-scene.ts';

const mongo = useMongo(test);

interface AppendScene extends LogScene {
  /** Appends lines from a file; returns the printed lines. */
  append(...lines: readonly (object | string)[]): Promise<string[]>;
  /** Appends lines that must be refused; returns the lines of the message. */
  refused(...lines: readonly (object | string)[]): Promise<string[]>;
  run(args: string[], stdin?: Readable): Promise<string[]>;
  readonly folder: string;
  /** The offsets that scans of the log began at. */
  readonly scans: number[];
}

async function appendScene(t: ExecutionContext): Promise<AppendScene> {
  const scene = await createLogScene(t, mongo.database('append'));
  const folder = await temporaryFolder(t);
  const scans: number[] = [];
  const eventLog: EventLog = {
    ...scene.folderLog,
    scan(range) {
      scans.push(range.from);
      return scene.folderLog.scan(range);
    },
  };
  const run: AppendScene['run'] = async (args, stdin = Readable.from([])) => {
    const printed: string[] = [];
    const { collections } = scene.store;
    const applied = async (positions: AwaitedPositions) => {
      await scene.project();
      const options = { progress() {}, signal: new AbortController().signal, stallMsMax: 0 };
      return awaitApplied(collections, positions, options);
    };
    await invoke(appendCommand, [...args], {
      ...{ eventLog, collections, stdin, applied },
      now: () => new Date(),
      print: line => printed.push(line),
      parkedByAppend: input => parkedByAppend(scene.context.store, input, applied),
    });
    return printed;
  };
  const append: AppendScene['append'] = async (...lines) => {
    const path = join(folder, 'events.ndjson');
    await writeFile(path, textOf(lines));
    return run([path]);
  };
  return {
    ...scene,
    folder,
    scans,
    run,
    append,
    async refused(...lines) {
      const before = await scene.texts();
      const error = await t.throwsAsync(append(...lines), { instanceOf: UserError });
      t.is(error.exitCode, 1);
      t.deepEqual(await scene.texts(), before, 'nothing was appended');
      return error.message.split('\n');
    },
  };
}

function textOf(lines: readonly (object | string)[]): string {
  const texts = lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line)));
  return texts.map(text => `${text}\n`).join('');
}

function story(subject: string, count: number): [LogEvent, ...LogEvent[]] {
  const eventOf = eventMaker(subject);
  const payees = Array.from({ length: count - 1 }, (_, index) => payee(`p${index}`));
  return [eventOf(CREATED), ...payees.map(draft => eventOf(draft))];
}

const SAID = 'Nothing was appended';
const taken = (sequence: number, last: number) =>
  `Already in the log: sequence ${sequence} of budget-1 (the last there is ${last})`;

test('a database that goes away during the wait leaves what is appended, and says so', async t => {
  const { store } = await appendScene(t);
  const toArray = () => Promise.reject(new MongoNetworkError('connection 1 closed'));
  const heads = { find: () => ({ toArray }) } as unknown as typeof store.collections.heads;
  const collections = { ...store.collections, heads };
  const options = { progress() {}, signal: new AbortController().signal };
  const waited = await awaitApplied(collections, new Map([['budget-1', 1]]), options);
  t.is(waited.kind, 'still');
  t.regex(
    'text' in waited ? waited.text : '',
    /is not known, MongoDB does not answer \(.*closed\)/,
  );
});

test('append prints the number of appended events and their offsets', async t => {
  const scene = await appendScene(t);
  const events = [...story('budget-1', 3), ...story('budget-2', 2)];
  t.deepEqual(await scene.append(...events), ['appended 5', 'partition 0: offsets 0 to 4']);
  t.deepEqual(
    await scene.texts(),
    events.map(event => JSON.stringify(event)),
  );
  const one = eventMaker('budget-3')(CREATED);
  t.deepEqual(await scene.append(one), ['appended 1', 'partition 0: offset 5']);
  t.deepEqual(await scene.append(), ['appended 0']);
});

test('append - reads standard input, whatever its chunks are', async t => {
  const scene = await appendScene(t);
  const bytes = Buffer.from(textOf([eventMaker('budget-1')({ ...CREATED, ...budgetNamed('É') })]));
  const cut = Readable.from([...bytes].map(byte => Buffer.of(byte)));
  t.deepEqual(await scene.run(['-'], cut), ['appended 1', 'partition 0: offset 0']);
  t.is(JSON.parse((await scene.texts())[0] ?? '').data.name, 'É');
});

function budgetNamed(name: string): Draft {
  return { type: 'budget.created', data: { spaceId: 'space-1', name, currency: 'EUR' } };
}

test('append takes all or nothing, and reports every bad line with its number and reason', async t => {
  const scene = await appendScene(t);
  const [created, first, second] = story('budget-1', 3);
  const lines = await scene.refused(
    created,
    '{"id":',
    '',
    { ...first, data: { payeeId: 'p 1', name: 'x' } },
    { ...second, sequence: 5 },
    created,
  );
  t.deepEqual(lines, [
    'line 2: Expected an event as JSON in UTF-8, got text that is no JSON',
    'line 3: Expected an event, got an empty line',
    lines[2],
    'line 5: Expected sequence 3 of budget-1, got 5',
    'line 6: Sequence 1 of budget-1 is on line 1 already',
    SAID,
  ]);
  t.regex(lines[2] ?? '', /^line 4: .*data\.payeeId/);
  t.deepEqual(await scene.append(created, first ?? '', second ?? ''), [
    'appended 3',
    'partition 0: offsets 0 to 2',
  ]);
});

test('append refuses a file that it has appended before: each line is in the log already', async t => {
  const scene = await appendScene(t);
  const events = story('budget-1', 2);
  const [, second] = events;
  const again = (last: number) => [`line 1: ${taken(1, last)}`, `line 2: ${taken(2, last)}`, SAID];
  await scene.append(...events);
  t.deepEqual(await scene.refused(...events), again(2), 'the projector is stopped');
  await scene.project();
  t.deepEqual(await scene.refused(...events), again(2), 'the read model knows them');
  t.deepEqual(await scene.refused({ ...second, id: 'another' }), [
    'line 1: Sequence 2 of budget-1 is in the log already, with another event (budget-1.2)',
    SAID,
  ]);
});

test('append refuses what is in the log already of a deleted budget too', async t => {
  const { append, refused, project } = await appendScene(t);
  const eventOf = eventMaker('budget-1');
  await append(eventOf(CREATED), eventOf({ type: 'budget.deleted', data: {} }));
  const late = eventOf(payee('late'));
  await project();
  await append(late);
  for (const isProjected of [false, true]) {
    if (isProjected) await project();
    const [line] = await refused(late);
    t.regex(line ?? '', /^line 1: Already in the log: sequence 3 of budget-1/);
  }
  await append(eventOf(payee('later')));
});

test('the next sequence is that after the read model and the log beyond it', async t => {
  const scene = await appendScene(t);
  const events = story('budget-1', 8);
  await scene.append(...events.slice(0, 3));
  await scene.project();
  await scene.append(...events.slice(3, 5));
  const reason = 'line 1: Expected sequence 6 of budget-1, got 7';
  t.deepEqual(await scene.refused(...events.slice(6)), [reason, SAID]);
  t.is((await scene.append(...events.slice(5)))[0], 'appended 3');
  t.deepEqual(scene.scans, [0, 3, 3, 3], 'no second read of events that the read model knows');
  await scene.project();
  t.like(await scene.head('budget-1'), { sequence: 8, held: null });
});

test('append continues a parked stream after its queue', async t => {
  const scene = await appendScene(t);
  const eventOf = eventMaker('budget-1');
  const drafts = [CREATED, payee('p'), payee('p'), payee('q'), payee('r'), payee('s'), payee('t')];
  const events = drafts.map(draft => eventOf(draft));
  await scene.append(...events.slice(0, 4));
  await scene.project();
  t.like(await scene.head('budget-1'), { sequence: 2, held: { why: 'parked', queued: 2 } });
  t.regex(
    (await scene.refused(events[3] ?? {}))[0] ?? '',
    /^line 1: Already in the log: sequence 4/,
  );
  const reason = 'line 1: Expected sequence 5 of budget-1, got 6';
  t.deepEqual(await scene.refused(events[5] ?? {}), [reason, SAID]);
  t.is((await scene.append(events[4] ?? {}))[0], 'appended 1', 'after the queue');
  t.is((await scene.append(events[5] ?? {}))[0], 'appended 1', 'and after the log beyond it');
  await scene.project();
  t.deepEqual(await scene.queue('budget-1'), [3, 4, 5, 6]);
  t.is((await scene.append(events[6] ?? {}))[0], 'appended 1');
});

test('append takes a missing sequence, and none of those that wait behind it', async t => {
  const scene = await appendScene(t);
  const events = story('budget-1', 7);
  const eventLog = scene.folderLog;
  const inLog = [events[0], events[2], events[3]].map(event => ({
    key: 'budget-1',
    value: JSON.stringify(event),
  }));
  await eventLog.append(inLog);
  await scene.project();
  t.like(await scene.head('budget-1'), { sequence: 1, held: { why: 'gap', queued: 2 } });
  const reason = 'line 1: Expected sequence 2 of budget-1, got 5';
  t.deepEqual(await scene.refused(events[4] ?? {}), [reason, SAID]);
  t.regex(
    (await scene.refused(events[2] ?? {}))[0] ?? '',
    /^line 1: Already in the log: sequence 3/,
  );
  t.is((await scene.append(events[1] ?? {}, events[4] ?? {}))[0], 'appended 2');
  await scene.project();
  t.like(await scene.head('budget-1'), { sequence: 5, held: null });
});

test('rules/events.md#append: it takes unknown event types, and checks their envelope and sequence', async t => {
  const scene = await appendScene(t);
  const unknown = { ...eventMaker('goal-1')(CREATED), type: 'goal.set', data: [1] };
  t.is((await scene.append(unknown))[0], 'appended 1');
  t.regex((await scene.refused({ ...unknown, sequence: 2, id: '' }))[0] ?? '', /^line 1: .*id/);
  t.deepEqual(await scene.refused({ ...unknown, sequence: 3, id: 'x' }), [
    'line 1: Expected sequence 2 of goal-1, got 3',
    SAID,
  ]);
});

test('append reports errors in its arguments and its file', async t => {
  const scene = await appendScene(t);
  const cases: [string[], RegExp][] = [
    [[], /^Expected one FILE, got 0\nUsage:\nbudgeting append FILE\|- \[--check\|--wait\]$/],
    [['a', 'b'], /^Expected one FILE, got 2\n/],
    [['--force', 'a'], /--force/],
    [[join(scene.folder, 'none')], /^Cannot read .*none: ENOENT/],
    [[scene.folder], /^Expected a file, got the folder /],
  ];
  for (const [args, message] of cases) {
    const error = await t.throwsAsync(scene.run(args), { instanceOf: UserError, message });
    t.is(error.exitCode, 1);
  }
  t.deepEqual(await scene.texts(), []);
});
