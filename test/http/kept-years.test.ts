import test from 'ava';
import { createKeptYears } from '../../src/http/kept-years.ts';
import type { YearFigures } from '../../src/store/reading/queries/month-figures.ts';

const START = { income: 0, assigned: 0, overspent: 0, cash: 0 };
const NO_MONTHS: YearFigures = { id: '2020', start: START, months: {} };

/** Reads that count how often they ran. */
function reads(figures: YearFigures | null) {
  const counted = { count: 0 };
  const read = async () => {
    counted.count += 1;
    return figures;
  };
  return Object.assign(read, { times: () => counted.count });
}

const of = (year: string, { generation = 'g1', set = 's1', sequence = 1 } = {}) => ({
  reading: { generation },
  set,
  sequence,
  year,
});

test('a year is read once for each generation, set and position', async t => {
  const years = createKeptYears();
  const read = reads(NO_MONTHS);
  t.is(await years.get(of('2020'), read), NO_MONTHS);
  t.is(await years.get(of('2020'), read), NO_MONTHS);
  t.is(read.times(), 1);
  await years.get(of('2021'), read);
  await years.get(of('2020', { generation: 'g2' }), read);
  await years.get(of('2020', { set: 's2' }), read);
  await years.get(of('2020', { sequence: 2 }), read);
  t.is(read.times(), 5);
});

test('a year before the first data is kept too', async t => {
  const years = createKeptYears();
  const none = reads(null);
  t.is(await years.get(of('1999'), none), null);
  t.is(await years.get(of('1999'), none), null);
  t.is(none.times(), 1);
});

test('beyond its bound it evicts the least recently used year', async t => {
  const years = createKeptYears(600);
  const [a, b, c] = [reads(NO_MONTHS), reads(NO_MONTHS), reads(NO_MONTHS)];
  await years.get(of('2020'), a);
  await years.get(of('2021'), b);
  await years.get(of('2020'), a);
  await years.get(of('2022'), c);
  await years.get(of('2020'), a);
  await years.get(of('2021'), b);
  t.deepEqual([a.times(), b.times(), c.times()], [1, 2, 1]);
});

test('a year takes space by its months', async t => {
  const none = { income: 0, assigned: 0, overspent: 0, overspentCount: 0 };
  const month = { ...none, cash: 0, uncategorizedCount: 0, held: 0 };
  const read = reads({ ...NO_MONTHS, months: { '01': month, '02': month } });
  const years = createKeptYears(600);
  await years.get(of('2020'), read);
  await years.get(of('2020'), read);
  t.is(read.times(), 2, 'it is larger than the bound');
});

test('requests of one snapshot share a read, requests of another do not wait for it', async t => {
  const years = createKeptYears();
  const never = reads(null);
  const stuck = () => never().then(() => new Promise<null>(() => {}));
  const first = of('2020');
  void years.get(first, stuck);
  void years.get(first, stuck);
  t.is(never.times(), 1);
  t.is(await years.get(of('2020'), reads(NO_MONTHS)), NO_MONTHS);
});

test('a year whose read fails is not kept', async t => {
  const years = createKeptYears();
  const failing = () => Promise.reject(new Error('away'));
  await t.throwsAsync(years.get(of('2020'), failing), { message: 'away' });
  t.is(await years.get(of('2020'), reads(NO_MONTHS)), NO_MONTHS);
});
