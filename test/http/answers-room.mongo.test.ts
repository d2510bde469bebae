// Room for large answers is given back, however the readings that took it end.
import { totalsKey } from '../../projections/aggregates/month-sums.ts';
import { keyOf } from '../../projections/working-set-entries.ts';
import { createBounds } from '../../src/http/bounds.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { account, budget, category, group, row, space } from '../model/scene.ts';
import { useServed } from './use-served.ts';

const CATEGORIES = 40;
const NOTE = 'n'.repeat(50_000);
const ROWS = 600;
const MEMO = 'm'.repeat(1000);
/** Room for what one page of changes is made of, not for two. */
const bounds = createBounds({ answers: 15_000_000 });

let token: string;

const served = useServed(test, { name: 'http_answers_room', bounds }, async () => {
  token = await served.issue('anna');
  const all = <T>(length: number, make: (index: number) => T) =>
    Array.from({ length }, (_, index) => make(index));
  await served.model.project('s1', ...space(['anna']));
  await served.model.project(
    'b1',
    ...[budget('s1'), account('home'), group('g1', 'envelope', { name: 'All' })],
    ...all(CATEGORIES, index => category(`c${index}`, 'g1', { name: `C ${index}`, note: NOTE })),
    ...all(ROWS, index => row(`t${index}`, { memo: MEMO })),
  );
});

const isFree = (t: Parameters<typeof eventually>[0]) =>
  eventually(t, async tried => {
    tried.is(bounds.answers.taken(), 0);
  });

test.serial(
  'of pages of changes that come at once some are refused, and no room stays taken',
  async t => {
    const statuses = new Set<number>();
    const askAtOnce = async () => {
      const asked = Array.from({ length: 20 }, () =>
        served.api('/changes?budget_id=b1&limit=1000', { token }),
      );
      for (const { status } of await Promise.all(asked)) statuses.add(status);
    };
    for (let round = 0; round < 10; round += 1) await askAtOnce();
    // On a busy machine they may have come one after another.
    await eventually(t, async tried => {
      if (statuses.size === 1) await askAtOnce();
      tried.deepEqual([...statuses].sort(), [200, 503]);
    });
    await isFree(t);
    t.is((await served.api('/changes?budget_id=b1&limit=1000', { token })).status, 200);
  },
);

/** Returns the numbers of bytes that room was taken for meanwhile. */
async function takenIn(ask: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const taken: number[] = [];
  const take = bounds.answers.take.bind(bounds.answers);
  Object.assign(bounds.answers, { take: (places: number) => taken.push(places) && take(places) });
  const { status } = await ask();
  Object.assign(bounds.answers, { take });
  return status === 200 ? taken : [];
}

test.serial('a small answer made of much gives its room back as soon as it is made', async t => {
  await isFree(t);
  const taken = await takenIn(() => served.api('/categories?budget_id=b1&name=nothing', { token }));
  t.true((taken[0] ?? 0) > 4 * CATEGORIES * NOTE.length);
  t.is(taken.at(-1), 0);
});

test.serial('sums of very many things in very many months take room', async t => {
  const { monthSums } = generationCollections(served.db, 'g1');
  const stored = await monthSums.find({}).toArray();
  const totals = { count: 1, inflow: 100, outflow: 0 };
  const payees = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      totalsKey({ onBudget: true, isTransfer: false }, `p${index}`),
      totals,
    ]),
  );
  const [one] = stored;
  const set = one?.set ?? '';
  for (let year = 2000; year < 2020; year += 1) {
    const id = `${year}-01/9`;
    await monthSums.insertOne({ ...one, _id: keyOf(set, id), id, payees } as never);
  }
  const path = '/sums?budget_id=b1&group_by=payee&interval=month&limit=1';
  const taken = await takenIn(() => served.api(path, { token }));
  t.true((taken[0] ?? 0) > 200 * 20 * 500, String(taken));
  t.is(taken.at(-1), 0);
});

test.serial('very many accounts take room', async t => {
  await isFree(t);
  const { accounts } = generationCollections(served.db, 'g1');
  const [one] = await accounts.find({}).toArray();
  const name = '名'.repeat(128);
  await accounts.insertMany(
    Array.from({ length: 1500 }, (_, index) => {
      const id = `copy-${index}`;
      return { ...one, _id: keyOf(one?.set ?? '', id), id, name, nameKey: name } as never;
    }),
  );
  const taken = await takenIn(() => served.api('/accounts?budget_id=b1', { token }));
  t.true((taken[0] ?? 0) > 1500 * 3 * 2 * 3 * 128, String(taken));
  await isFree(t);
});

test.serial('a list of very many budgets has room until it has left', async t => {
  await isFree(t);
  const { heads } = generationCollections(served.db, 'g1');
  const head = await heads.findOne({ _id: 'b1' });
  const name = '名'.repeat(128);
  await heads.insertMany(
    Array.from({ length: 2500 }, (_, index) => {
      return {
        ...head,
        _id: `copy-${index}`,
        budget: { ...head?.budget, name, nameKey: name },
      } as never;
    }),
  );
  const taken = await takenIn(() => served.api('/budgets', { token }));
  t.true((taken[0] ?? 0) > 2500 * 3 * 128);
  await isFree(t);
  const asked = Array.from({ length: 30 }, () => served.api('/budgets', { token }));
  const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
  t.true(statuses.has(200));
  await isFree(t);
});
