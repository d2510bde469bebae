// The look-up that requests share: what its result costs to hand out.
import test from 'ava';
import { findBudgets } from '../../../../src/store/reading/queries/reach.ts';
import type { Reading } from '../../../../src/store/snapshot.ts';

const COUNT = 1000;

/** Users u0, u1 … with a space and a budget each, as the database answers; counts each look at one of them. */
function manyUsers() {
  let looks = 0;
  const counted = <T extends object>(found: T): T =>
    new Proxy(found, {
      get(target, key) {
        looks += 1;
        return Reflect.get(target, key);
      },
    });
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  const spaces = numbers.map(n => counted({ _id: `s${n}`, members: [`u${n}`, 'everybody'] }));
  const budgets = numbers.map(n =>
    counted({ _id: `b${n}`, sequence: n, set: 'set', budget: { spaceId: `s${n}` } }),
  );
  const rows = [
    { spaces, budgets },
    { active: 'g1', generations: [{ id: 'g1', version: 5 }] },
  ];
  const heads = { collectionName: 'g1_heads', aggregate: () => ({ toArray: async () => rows }) };
  const reading = { collections: { heads }, options: {} } as unknown as Reading;
  return { numbers, reading, looks: () => looks };
}

test('each question of a large batch gets its budget, for a few looks at what was found', async t => {
  const { numbers, reading, looks } = manyUsers();
  const own = numbers.map(n => ({ owner: `u${n}`, budgetId: `b${n}` }));
  const { active, found } = await findBudgets(reading, own);
  t.deepEqual(active, { id: 'g1', version: 5 });
  t.deepEqual(
    found.map(budget => budget?.id),
    numbers.map(n => `b${n}`),
  );
  t.true(looks() <= 20 * COUNT, `${looks()} looks`);
});

test('another user’s budget is as a missing one, a shared one is found for each member', async t => {
  const { reading } = manyUsers();
  const { found } = await findBudgets(reading, [
    { owner: 'u1', budgetId: 'b2' },
    { owner: 'u1', budgetId: 'none' },
    { owner: 'u1', budgetId: 'b1' },
    { owner: 'everybody', budgetId: 'b1' },
    { owner: 'nobody', budgetId: 'b1' },
  ]);
  t.deepEqual(
    found.map(budget => budget?.id ?? null),
    [null, null, 'b1', 'b1', null],
  );
});
