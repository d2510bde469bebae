// `append --check` says what would park and appends nothing; `--wait` says what was applied.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { appendCommand } from '../../src/commands/append.ts';
import { parkedByAppend } from '../../src/commands/appending/parked-by-append.ts';
import { type AwaitedPositions, awaitApplied } from '../../src/commands/opening/await-applied.ts';
import { UserError } from '../../src/process/errors.ts';
import { pauseGeneration, TooManyParkedError } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { invoke } from './invoke.ts';
import { createLogScene } from './log-scene.ts';

const mongo = useMongo(test);

async function checkScene(t: ExecutionContext) {
  const scene = await createLogScene(t, mongo.database('append_check'));
  const folder = await temporaryFolder(t);
  let projects = true;
  const run = async (lines: readonly object[], ...options: string[]) => {
    const printed: string[] = [];
    const path = join(folder, 'events.ndjson');
    await writeFile(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    const { collections } = scene.store;
    const applied = async (positions: AwaitedPositions) => {
      if (projects) await scene.project();
      const signal = new AbortController().signal;
      return awaitApplied(collections, positions, { progress() {}, signal, stallMsMax: 0 });
    };
    await invoke(appendCommand, [path, ...options], {
      ...{ eventLog: scene.folderLog, collections, stdin: Readable.from([]), applied },
      now: () => new Date(),
      print: line => printed.push(line),
      parkedByAppend: input => parkedByAppend(scene.context.store, input, applied),
    });
    return printed;
  };
  const refused = async (lines: readonly object[], ...options: string[]) => {
    const error = await t.throwsAsync(run(lines, ...options), { instanceOf: UserError });
    return error.message.split('\n');
  };
  const appendUnchecked = async (events: readonly { readonly subject: string }[]) => {
    await scene.folderLog.append(
      events.map(event => ({ key: event.subject, value: JSON.stringify(event) })),
    );
  };
  const stopProjecting = () => {
    projects = false;
  };
  return { ...scene, run, refused, appendUnchecked, stopProjecting };
}

const UNKNOWN = { type: 'payee.renamed', data: { payeeId: 'nobody', name: 'x' } } as const;

test('a check folds over the read model, and appends nothing', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.run([eventOf(CREATED), eventOf(payee('p1'))]);
  const good = [
    eventOf(payee('p2')),
    eventOf({ type: 'payee.renamed', data: { payeeId: 'p1', name: 'x' } }),
  ];
  t.deepEqual(await scene.run(good, '--check'), [
    '2 events would be applied; nothing was appended',
  ]);
  const bad = [...good, eventOf(UNKNOWN), eventOf(payee('p3'))];
  t.deepEqual(await scene.refused(bad, '--check'), [
    'line 3: would park budget-1: Unknown or deleted payee nobody',
    'Nothing was appended',
  ]);
  t.is((await scene.texts()).length, 2);
});

test('a check of a held stream says so', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.run([eventOf(CREATED), eventOf(UNKNOWN)]);
  t.deepEqual(await scene.refused([eventOf(payee('p1'))], '--check'), [
    'budget-1 is held already: Unknown or deleted payee nobody',
    'Nothing was appended',
  ]);
});

test('a check applies what waits behind a gap with the events that fill it', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.run([eventOf(CREATED)]);
  const [second, third, fourth, fifth] = [
    eventOf(payee('p1')),
    eventOf({ type: 'payee.renamed', data: { payeeId: 'p1', name: 'x' } }),
    eventOf(payee('p2')),
    eventOf({ type: 'payee.renamed', data: { payeeId: 'p2', name: 'y' } }),
  ];
  // Another producer has left the second and the fourth out.
  await scene.appendUnchecked([third, fifth]);
  t.deepEqual(await scene.run([second, fourth], '--check'), [
    '2 events would be applied; nothing was appended',
  ]);
  const other = { ...second, data: { payeeId: 'p9', name: 'z' } };
  t.deepEqual(await scene.refused([other, fourth], '--check'), [
    'line 2: would wait: an event in the queue would park budget-1: Unknown or deleted payee p1',
    'Nothing was appended',
  ]);
  t.is((await scene.texts()).length, 3);
});

test('a check waits for what is in the log behind a gap', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.run([eventOf(CREATED)]);
  await scene.project();
  const [second, third, fourth] = [1, 2, 3].map(number => eventOf(payee(`p${number}`)));
  scene.stopProjecting();
  await scene.appendUnchecked([third as NonNullable<typeof third>]);
  t.deepEqual(await scene.refused([second, fourth] as object[], '--check'), [
    'Sequence 3 of budget-1 is in the log, and not applied yet: try again when it is',
    'Nothing was checked',
  ]);
  await scene.project();
  t.deepEqual(await scene.run([second] as object[], '--check'), [
    '1 event would be applied; nothing was appended',
  ]);
});

test('events after a deletion would be dropped, and a wait for them ends', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  const deleted = { type: 'budget.deleted', data: {} } as const;
  const story = [eventOf(CREATED), eventOf(deleted), eventOf(payee('p1'))];
  t.deepEqual(await scene.refused(story, '--check'), [
    'line 3: would be dropped: budget budget-1 is deleted',
    'Nothing was appended',
  ]);
  await scene.run(story.slice(0, 2));
  t.deepEqual(await scene.refused(story.slice(2), '--check'), [
    'line 1: would be dropped: budget budget-1 is deleted',
    'Nothing was appended',
  ]);
  const printed = await scene.run(story.slice(2), '--wait');
  t.is(printed.at(-1), 'budget-1: is deleted, what follows is dropped');
});

test('a check without a projector that catches up is refused', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.run([eventOf(CREATED)]);
  scene.stopProjecting();
  const [first, last] = await scene.refused([eventOf(payee('p1'))], '--check');
  t.regex(first ?? '', /^0 of 1 events are applied, none in the last 0 s: is a projector running/);
  t.is(last, 'Nothing was checked');
});

test('a wait that is stopped says so, and nothing of a projector that is missing', async t => {
  const scene = await checkScene(t);
  const positions = new Map([['budget-1', 2]]);
  const waited = await awaitApplied(scene.store.collections, positions, {
    ...{ progress() {}, signal: AbortSignal.abort(), stallMsMax: 0 },
  });
  const text = 'Stopped waiting: 0 of 2 events are applied; a projector applies the rest';
  t.deepEqual(waited, { kind: 'still', text });
});

test('a wait while projecting is paused says so at once', async t => {
  const scene = await checkScene(t);
  const { collections } = scene.store;
  await pauseGeneration(collections, new TooManyParkedError('7 streams parked', [], 0));
  const waited = await awaitApplied(collections, new Map([['budget-1', 2]]), {
    ...{ progress() {}, signal: new AbortController().signal },
  });
  const text =
    '0 of 2 events are applied, and projecting is paused: 7 streams parked; budgeting parked resume lets it go on';
  t.deepEqual(waited, { kind: 'still', text });
});

test('--wait says to which sequence each stream is applied, or why not', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  const other = eventMaker('budget-2');
  const printed = await scene.run(
    [eventOf(CREATED), eventOf(payee('p1')), other(CREATED)],
    '--wait',
  );
  t.deepEqual(printed.slice(-2), ['budget-1: applied to 2', 'budget-2: applied to 1']);
  t.deepEqual(await scene.refused([eventOf(UNKNOWN), eventOf(payee('p2'))], '--wait'), [
    'budget-1 is parked after sequence 2: Unknown or deleted payee nobody',
  ]);
  t.deepEqual(
    (await scene.refused([], '--wait', '--check'))[0],
    'Expected --check or --wait, got both',
  );
});

test('every problem of a line is reported', async t => {
  const scene = await checkScene(t);
  const eventOf = eventMaker('budget-1');
  const entered = eventOf({
    type: 'account.opened',
    data: { accountId: 'a b', type: 'bank' },
  } as never);
  t.deepEqual(await scene.refused([{ ...entered, sequence: 7 }]), [
    'line 1: Expected data to have name, got none',
    'line 1: Expected data to have onBudget, got none',
    'line 1: Expected data to have currency, got none',
    'line 1: Expected data.accountId to be an id of 1 to 128 characters from A–Z a–z 0–9 _ - . : ~, got "a b"',
    'line 1: Expected data.type to be one of checking, savings, cash, creditCard, lineOfCredit, mortgage, autoLoan, studentLoan, personalLoan, medicalDebt, otherDebt, otherAsset, otherLiability, got "bank"',
    'line 1: Expected sequence 1 of budget-1, got 7',
    'Nothing was appended',
  ]);
});
