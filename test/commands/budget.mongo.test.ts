// `budget list` and `budget delete` over a real log and read model.
import type { ExecutionContext } from 'ava';
import { recordedDeletion } from '../../src/commands/appending/append-events.ts';
import { budgetDeleteCommand } from '../../src/commands/budget-delete.ts';
import { awaitApplied } from '../../src/commands/opening/await-applied.ts';
import type { AppendTarget } from '../../src/commands/opening/target.ts';
import { UnfinishedError, UserError } from '../../src/process/errors.ts';
import { listBudgets } from '../../src/store/reading/queries/budgets.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { invoke, invokeLine } from './invoke.ts';
import { createLogScene } from './log-scene.ts';

const mongo = useMongo(test);

async function budgetScene(t: ExecutionContext) {
  const scene = await createLogScene(t, mongo.database('budget'));
  const append = async (...events: readonly object[]) => {
    await scene.folderLog.append(
      events.map(event => ({
        key: (event as { subject: string }).subject,
        value: JSON.stringify(event),
      })),
    );
    await scene.project();
  };
  const questions: string[] = [];
  const projector = { runs: true, isLate: false };
  const opened: string[][] = [];
  const run = async ([action, ...args]: string[], answer: boolean | null = null) => {
    const printed: string[] = [];
    const { collections } = scene.store;
    const print = (line: string) => void printed.push(line);
    const list = (user: string | null, most: number) =>
      listBudgets(collections, user, Math.min(most, 3));
    if (action !== 'delete') {
      await invokeLine(['budget', action ?? '', ...args], { list, print });
      return printed;
    }
    const { runs, isLate } = projector;
    const target: AppendTarget = {
      eventLog: scene.folderLog,
      collections,
      now: () => new Date('2026-04-01T10:00:00.000Z'),
      print,
      async applied(positions) {
        if (runs && !isLate) await scene.project();
        let projecting: Promise<unknown> | undefined;
        const waited = await awaitApplied(collections, positions, {
          progress() {
            if (isLate) projecting ??= scene.project();
          },
          signal: new AbortController().signal,
          stallMsMax: isLate ? 30_000 : 0,
        });
        await projecting;
        return waited;
      },
    };
    await invoke(budgetDeleteCommand, args, {
      collections,
      print,
      async ask(question) {
        questions.push(question);
        return answer;
      },
      async open(write) {
        opened.push(args);
        await write(target);
      },
    });
    return printed;
  };
  return { ...scene, append, run, questions, projector, opened };
}

const spaceOf = (id: string, ...users: string[]) => {
  const eventOf = eventMaker(id);
  const created = eventOf({ type: 'space.created', data: { name: 'Home' } });
  const added = (userId: string) => eventOf({ type: 'space.member-added', data: { userId } });
  return [created, ...users.map(added)];
};

test('list shows whose a budget is, how large it is and how far', async t => {
  const scene = await budgetScene(t);
  t.deepEqual(await scene.run(['list']), ['There are no budgets']);
  const eventOf = eventMaker('budget-1');
  const other = eventMaker('budget-2');
  const data = { spaceId: 'elsewhere', name: 'Ours', currency: 'EUR' };
  const created = { type: 'budget.created', data } as const;
  await scene.append(...spaceOf('space-1', 'anna', 'ben'), eventOf(CREATED), other(created));
  await scene.append(other({ type: 'payee.deleted', data: { payeeId: 'nobody' } }));
  const printed = await scene.run(['list']);
  t.deepEqual(
    printed.map(line => line.split(/ {2,}/)),
    [
      ['BUDGET', 'NAME', 'SPACE', 'MEMBERS', 'ROWS', 'POSITION', 'HELD'],
      ['budget-1', 'Ours', 'Home', 'anna, ben', '0', '1'],
      ['budget-2', 'Ours', 'elsewhere', '0', '1', 'parked'],
    ],
  );
  const [line] = await scene.run(['list', '--user', 'ben', '--json']);
  const { budgets, isCut } = JSON.parse(line ?? '');
  t.false(isCut);
  t.deepEqual(
    budgets.map(({ id }: { id: string }) => id),
    ['budget-1'],
  );
});

test('a long list is cut, and says so', async t => {
  const scene = await budgetScene(t);
  for (const id of ['b1', 'b2', 'b3', 'b4']) await scene.append(eventMaker(id)(CREATED));
  const printed = await scene.run(['list']);
  t.is(printed.length, 5);
  t.regex(printed.at(-1) ?? '', /^There are more than 1000: --user U lists those of one user$/);
});

test('the number of rows is that of all accounts', async t => {
  const scene = await budgetScene(t);
  const options = { seed: 3, events: 300, budgets: 1, spaces: 1, users: 1 };
  const calm = { disorderShare: 0, duplicateShare: 0, invalidShare: 0 };
  await scene.append(...eventsOf(randomHistory({ ...options, ...calm })));
  const [line] = await scene.run(['list', '--json']);
  const [{ rows }] = JSON.parse(line ?? '').budgets;
  t.is(rows, await scene.store.collections.rows.countDocuments());
  t.true(rows > 0);
});

test('delete asks, and takes everything of the budget with it', async t => {
  const scene = await budgetScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.append(eventOf(CREATED), eventOf(payee('p1')));
  const refused = async (args: string[], answer: boolean | null, message: RegExp) => {
    const before = await scene.texts();
    await t.throwsAsync(scene.run(args, answer), { instanceOf: UserError, message });
    t.deepEqual(await scene.texts(), before);
  };
  await refused(['delete', 'budget-1'], false, /^Nothing was deleted$/);
  await refused(['delete', 'budget-1'], null, /for ever\?\nNobody can be asked here: give --yes$/);
  await refused(
    ['delete', 'budget-9', '--yes'],
    null,
    /^Expected the id of a budget, got budget-9$/,
  );
  await refused(['delete'], null, /^Expected one ID, got 0\nUsage:/);
  await refused(['drop'], null, /^Expected budget list or delete, got drop\nUsage:/);
  t.deepEqual(scene.opened, [], 'others can append while a person is asked');
  t.deepEqual(await scene.run(['delete', 'budget-1'], true), ['Budget budget-1 is deleted']);
  t.is(scene.questions.length, 3);
  t.like(await scene.head('budget-1'), { deleted: true, sequence: 3 });
  t.deepEqual(await scene.run(['list']), ['There are no budgets']);
  t.deepEqual(await scene.run(['delete', 'budget-1']), ['Budget budget-1 is deleted']);
  t.is(scene.questions.length, 3, 'what is deleted needs no question');
  t.is((await scene.texts()).length, 3);
});

for (const isLate of [false, true]) {
  const title = `a parked budget and one with a gap are deleted too${isLate ? ', by a projector that comes later' : ''}`;
  test(title, async t => {
    const scene = await budgetScene(t);
    scene.projector.isLate = isLate;
    const parked = eventMaker('parked');
    await scene.append(
      parked(CREATED),
      parked({ type: 'payee.deleted', data: { payeeId: 'nobody' } }),
      parked(payee('p1')),
    );
    const gap = eventMaker('gap');
    const [created, , late] = [gap(CREATED), gap(payee('p1')), gap(payee('p2'))];
    await scene.append(created, late);
    for (const id of ['parked', 'gap']) {
      t.deepEqual(await scene.run(['delete', id, '--yes']), [`Budget ${id} is deleted`]);
      t.like(await scene.head(id), { deleted: true, held: null });
    }
  });
}

test('a deletion that no projector applies is recorded once, and is no success before it is applied', async t => {
  const scene = await budgetScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.append(eventOf(CREATED), eventOf(payee('p1')));
  scene.projector.runs = false;
  const unfinished = {
    instanceOf: UnfinishedError,
    message:
      /^The deletion of budget budget-1 is recorded in the log, and not applied yet\. 0 of 1 events are applied/,
  };
  await t.throwsAsync(scene.run(['delete', 'budget-1', '--yes']), unfinished);
  const recorded = await scene.texts();
  t.is(recorded.length, 3);
  await t.throwsAsync(scene.run(['delete', 'budget-1', '--yes']), unfinished);
  scene.projector.runs = true;
  t.deepEqual(await scene.run(['delete', 'budget-1', '--yes']), ['Budget budget-1 is deleted']);
  t.deepEqual(await scene.texts(), recorded);
});

test('a deletion behind a gap that another producer recorded is waited for', async t => {
  const scene = await budgetScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.append(eventOf(CREATED));
  eventOf(payee('p1'));
  const value = JSON.stringify(eventOf({ type: 'budget.deleted', data: {} }));
  await scene.folderLog.append([{ key: 'budget-1', value }]);
  t.deepEqual(await scene.run(['delete', 'budget-1', '--yes']), ['Budget budget-1 is deleted']);
  t.is((await scene.texts()).length, 2);
});

test('a deletion in the queue of a held budget is found', async t => {
  const scene = await budgetScene(t);
  const eventOf = eventMaker('budget-1');
  await scene.append(eventOf(CREATED));
  const { collections } = scene.store;
  const value = JSON.stringify(eventOf({ type: 'budget.deleted', data: {} }));
  const place = { partition: 0, offset: 1, eventId: null };
  await collections.waiting.insertOne({
    ...{ _id: 'budget-1/2/x', subject: 'budget-1', sequence: 2, value },
    ...place,
  });
  const target = { eventLog: scene.folderLog, collections };
  t.is(await recordedDeletion(target, 'budget-1', 1), 2);
  t.is(await recordedDeletion(target, 'budget-1', 2), null);
});
