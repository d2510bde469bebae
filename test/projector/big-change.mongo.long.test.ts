// Big changes: the stream is held while a shadow set is written; the result equals that of one transaction, and other
// streams continue meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { deliveryOf } from '../../src/projector/fold/delivery.ts';
import { listHeld, retryHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import { writeShadowSet } from '../../src/projector/shadow/write-shadow-set.ts';
import { verify } from '../../src/verify/verify.ts';
import { event } from '../generations/steady-load.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, type HistoryOptions, randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import { createModel } from '../model/model.ts';
import { type RunningSystem, startSystem } from '../system/running-system.ts';
import { createPartitionScene } from './partition-scene.ts';

const now = () => new Date(`${HISTORY_TODAY}T12:00:00Z`);
const ALL = { stream: null, sample: null };

const mongo = useMongo(test);

async function caughtUp(system: RunningSystem): Promise<void> {
  await system.projected();
  // Shadow sets are written concurrently with the chunks.
  while ((await system.store.collections.shadowSets.countDocuments()) > 0) await sleep(10);
  for (const head of await listHeld(system.store)) {
    if (head.held?.why === 'change') return caughtUp(system);
  }
  while ((await system.store.collections.sweeps.countDocuments()) > 0) await sleep(10);
}

async function expectNoDifferences(t: ExecutionContext, system: RunningSystem): Promise<void> {
  const report = await verify(system.source, ALL, { signal: new AbortController().signal });
  t.deepEqual(report.named, []);
}

for (const seed of [21, 22, 23]) {
  test(`nearly every cascade becomes a shadow set with a bound of 3 rows, and answers stay right (seed ${seed})`, async t => {
    const options: HistoryOptions = { seed, events: 900, budgets: 2, spaces: 1, users: 2 };
    const shares = seed === 23 ? { invalidShare: 0.004, disorderShare: 0.01 } : {};
    const history = randomHistory({ ...options, ...shares, wildNames: true });
    const system = await startSystem(mongo, { now, recordsMax: 61, rowsMax: 3 });
    t.teardown(() => system.stop());
    const model = createModel();
    for (const { event, isSchemaValid } of history) {
      model.deliver(event, { schemaValid: isSchemaValid });
    }
    await system.append(eventsOf(history));
    await caughtUp(system);
    await expectNoDifferences(t, system);
    for (const user of model.users()) {
      const { token } = await system.tokens.issue({ owner: user }, now());
      const answers = model.answers(user, { today: HISTORY_TODAY });
      for (const id of model.budgetIds()) {
        const bodies = {
          accounts: answers.accounts(id),
          transactions: answers.transactions(id),
          categories: answers.categories(id),
        };
        for (const [resource, expected] of Object.entries(bodies)) {
          const response = await system.get(`/${resource}?budget_id=${id}`, token);
          if (expected === null) t.is(response.status, 404);
          else t.deepEqual(await response.json(), expected, `${user} ${id} ${resource}`);
        }
      }
    }
    // The replaced sets have left no rows.
    const { heads, rows } = system.store.collections;
    const sets = (await heads.find().toArray()).map(({ set }) => set);
    t.is(await rows.countDocuments({ set: { $nin: sets.filter(set => set !== null) } }), 0);
  });
}

const BUDGET = 'budget-1';

function bigBudget(rows: number) {
  const account = { name: 'Old', type: 'checking', onBudget: true, currency: null };
  return [
    event(BUDGET, 1, {
      type: 'budget.created',
      data: { spaceId: 's', name: 'B', currency: 'EUR' },
    }),
    event(BUDGET, 2, { type: 'account.opened', data: { accountId: 'a', ...account } }),
    ...Array.from({ length: rows }, (_, index) =>
      event(BUDGET, index + 3, {
        type: 'transaction.entered',
        data: {
          transactionId: `t-${index}`,
          date: '2025-06-01',
          accountId: 'a',
          amount: '1.00',
          type: 'standard',
          cleared: true,
          reconciled: false,
        },
      }),
    ),
  ];
}

test('a stream is held during a big change, others continue, and the queued events follow', async t => {
  const rows = 9000;
  const system = await startSystem(mongo, { rowsMax: 500, recordsMax: 2000, partitions: 1 });
  t.teardown(() => system.stop());
  await system.append([
    event('s', 1, { type: 'space.created', data: { name: 'Home' } }),
    event('s', 2, { type: 'space.member-added', data: { userId: 'anna' } }),
    ...bigBudget(rows),
  ]);
  await system.projected();
  const { token } = await system.tokens.issue({ owner: 'anna' }, new Date());
  const next = rows + 3;
  await system.append([
    event(BUDGET, next, { type: 'account.renamed', data: { accountId: 'a', name: 'New' } }),
    event(BUDGET, next + 1, { type: 'payee.added', data: { payeeId: 'p', name: 'Waits' } }),
    event('s', 3, { type: 'space.renamed', data: { name: 'Other' } }),
  ]);
  await system.projected();
  const heads = system.store.collections.heads;
  const held = await heads.findOne({ _id: BUDGET });
  t.is(held?.held?.why, 'change', 'the change is in progress');
  t.is((await heads.findOne({ _id: 's' }))?.sequence, 3, 'the other stream has continued');
  const during = await system.get(`/payees?budget_id=${BUDGET}`, token);
  t.is(during.headers.get('x-projection-parked-since'), '2026-01-01T00:00:00.000Z');
  t.is(during.headers.get('x-projection-position'), String(next - 1));
  await t.throwsAsync(retryHeld(system.store, BUDGET, { rowsMax: 500 }), {
    message: /is held for work .*, which goes on by itself$/,
  });
  await caughtUp(system);
  const after = await system.get(`/transactions?budget_id=${BUDGET}&limit=1000&offset=8500`, token);
  const { transactions } = (await after.json()) as { transactions: { accountName: string }[] };
  t.is(transactions.length, 500);
  t.true(transactions.every(({ accountName }) => accountName === 'New'));
  t.is(after.headers.get('x-projection-position'), String(next + 1));
  t.is(after.headers.get('x-projection-parked-since'), null);
  await expectNoDifferences(t, system);
});

test('a budget that is deleted during a big change leaves nothing behind', async t => {
  const rows = 6000;
  const system = await startSystem(mongo, { rowsMax: 500, recordsMax: 2000, partitions: 1 });
  t.teardown(() => system.stop());
  await system.append(bigBudget(rows));
  await system.projected();
  await system.append([
    event(BUDGET, rows + 3, { type: 'account.renamed', data: { accountId: 'a', name: 'New' } }),
    event(BUDGET, rows + 4, { type: 'budget.deleted', data: {} }),
  ]);
  await caughtUp(system);
  const { collections } = system.store;
  for (const name of [
    'rows',
    'accounts',
    'years',
    'accountDays',
    'waiting',
    'shadowSets',
  ] as const) {
    t.is(await collections[name].countDocuments(), 0, name);
  }
  t.true((await collections.heads.findOne({ _id: BUDGET }))?.deleted);
});

test('the next owner drains the queue after a process died between a big change and that queue', async t => {
  const database = mongo.database('killed');
  const dying = await createPartitionScene(database, { rowsMax: 3 });
  await dying.tell(...bigBudget(5));
  dying.eventLog.add(
    event(BUDGET, 8, { type: 'account.renamed', data: { accountId: 'a', name: 'New' } }),
    event(BUDGET, 9, { type: 'payee.added', data: { payeeId: 'p', name: 'Waits' } }),
  );
  const claimed = await dying.claim('dying');
  dying.context.shadowSets.released(0);
  const shadows = { ...dying.context.shadowSets, start: () => {} };
  const context = { ...dying.context, owner: 'dying', shadows };
  await dying.apply(claimed, dying.eventLog.records.slice(7), { context });
  t.is(
    await writeShadowSet(dying.store, BUDGET, {
      owner: 'dying',
      signal: new AbortController().signal,
    }),
    'done',
  );
  t.like(await dying.head(BUDGET), { sequence: 8, held: { why: 'change', queued: 1 } });
  const next = await createPartitionScene(database, { rowsMax: 3, eventLog: dying.eventLog });
  await next.claim('next');
  t.like(await next.head(BUDGET), { sequence: 9, held: null });
  t.deepEqual(await next.queue(BUDGET), []);
});

test('an invalid big change parks its stream', async t => {
  const system = await startSystem(mongo, { rowsMax: 2, partitions: 1 });
  t.teardown(() => system.stop());
  await system.append([
    ...bigBudget(5),
    event(BUDGET, 8, {
      type: 'category-group.added',
      data: { groupId: 'g', name: 'G', budgetMode: 'envelope' },
    }),
    event(BUDGET, 9, {
      type: 'category.added',
      data: { categoryId: 'c', groupId: 'g', name: 'C' },
    }),
    ...[0, 1, 2, 3].map(index =>
      event(BUDGET, 10 + index, {
        type: 'transaction.changed',
        data: {
          transactionId: `t-${index}`,
          date: '2025-06-01',
          accountId: 'a',
          categoryId: 'c',
          amount: '1.00',
          type: 'standard',
          cleared: true,
          reconciled: false,
        },
      }),
    ),
  ]);
  await system.projected();
  const replaced = { categoryId: 'c', replacementCategoryId: 'c' };
  await system.append([event(BUDGET, 14, { type: 'category.deleted', data: replaced })]);
  await caughtUp(system);
  const held = (await system.store.collections.heads.findOne({ _id: BUDGET }))?.held;
  t.is(held?.why, 'parked');
  t.is(held?.reason, 'Category c cannot replace itself');
  const [first] = await system.store.collections.waiting.find().toArray();
  t.is(deliveryOf({ ...first, key: BUDGET } as never).sequence, 14);
  // The stream stays parked until an operator decides.
  await system.append([
    event(BUDGET, 15, { type: 'payee.added', data: { payeeId: 'p', name: 'Waits' } }),
  ]);
  await system.projected();
  await sleep(1100);
  t.is(await system.store.collections.shadowSets.countDocuments(), 0);
  const skipped = await skipHeld(system.store, BUDGET, {
    missing: false,
    limits: { rowsMax: 2 },
    now: now(),
  });
  t.like(skipped, { sequence: 15, held: null });
  await expectNoDifferences(t, system);
});
