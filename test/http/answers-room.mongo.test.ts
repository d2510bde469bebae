// Room for large answers is given back, however the readings that took it end.
import { createBounds } from '../../src/http/bounds.ts';
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
    for (let round = 0; round < 10; round += 1) {
      const asked = Array.from({ length: 20 }, () =>
        served.api('/changes?budget_id=b1&limit=1000', { token }),
      );
      for (const { status } of await Promise.all(asked)) statuses.add(status);
    }
    t.deepEqual([...statuses].sort(), [200, 503]);
    await isFree(t);
    t.is((await served.api('/changes?budget_id=b1&limit=1000', { token })).status, 200);
  },
);

test.serial('a small answer made of much gives its room back as soon as it is made', async t => {
  await isFree(t);
  const taken: number[] = [];
  const take = bounds.answers.take.bind(bounds.answers);
  Object.assign(bounds.answers, { take: (places: number) => taken.push(places) && take(places) });
  const { status } = await served.api('/categories?budget_id=b1&name=nothing', { token });
  Object.assign(bounds.answers, { take });
  t.is(status, 200);
  t.true((taken[0] ?? 0) > 4 * CATEGORIES * NOTE.length);
  t.is(taken.at(-1), 0);
});
