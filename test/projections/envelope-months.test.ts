// Figures of envelopes month by month: the worked example, far months, and the laws over random histories.
import test from 'ava';
import type { CategoryMonths } from '../../projections/documents.ts';
import { type EnvelopeHistory, envelopeMonths } from '../../projections/envelope-months.ts';
import { monthsFrom } from '../../src/process/calendar.ts';
import { monthFigures } from '../../src/store/reading/queries/month-figures.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { applyToMemory, createMemoryStore, documentsOf, type MemoryStore } from './memory-store.ts';

interface GivenEnvelope {
  /** Assigned and spent by month. */
  readonly cells?: Readonly<Record<string, readonly [number, number]>>;
  readonly carry?: Readonly<Record<string, boolean>>;
}

function historyOf({ cells = {}, carry = {} }: GivenEnvelope): EnvelopeHistory<string> {
  const months = [...new Set([...Object.keys(cells), ...Object.keys(carry)])].sort();
  return {
    months,
    assigned: months.map(month => cells[month]?.[0] ?? 0),
    spent: months.map(month => cells[month]?.[1] ?? 0),
    marks: months.map(month => carry[month]),
  };
}

/** Assigned, activity, available and `+` where carry-over is on, by month. */
function figures(told: GivenEnvelope, from: string, to: string): Record<string, string> {
  const shown = monthsFrom(from, to);
  const lines = envelopeMonths(historyOf(told), shown).map(
    ({ assigned, activity, available, carriesOver }) =>
      `${assigned} ${activity} ${available}${carriesOver ? ' +' : ''}`,
  );
  return Object.fromEntries(shown.map((month, index) => [month, lines[index] ?? '']));
}

const FOOD = { '2024-01': [30_000, -34_500], '2024-02': [30_000, -10_000] } as const;

test('rules/months.md#worked-example: Food, carry-over off', t => {
  t.deepEqual(figures({ cells: FOOD }, '2023-12', '2024-04'), {
    '2023-12': '0 0 0',
    '2024-01': '30000 -34500 -4500',
    '2024-02': '30000 -10000 20000',
    '2024-03': '0 0 20000',
    '2024-04': '0 0 20000',
  });
});

test('rules/months.md#worked-example: Food, carry-over on', t => {
  t.deepEqual(figures({ cells: FOOD, carry: { '2023-05': true } }, '2023-04', '2023-06'), {
    '2023-04': '0 0 0',
    '2023-05': '0 0 0 +',
    '2023-06': '0 0 0 +',
  });
  t.deepEqual(figures({ cells: FOOD, carry: { '2023-05': true } }, '2024-01', '2024-02'), {
    '2024-01': '30000 -34500 -4500 +',
    '2024-02': '30000 -10000 15500 +',
  });
});

test('a shortage ends with its month, one that is carried over ends where carry-over does', t => {
  const cells = { '2024-01': [0, -100] } as const;
  t.deepEqual(figures({ cells }, '2024-01', '2024-02'), {
    '2024-01': '0 -100 -100',
    '2024-02': '0 0 0',
  });
  t.deepEqual(figures({ cells }, '2024-03', '2024-03'), { '2024-03': '0 0 0' });
  const carry = { '2024-01': true, '2024-03': false };
  t.deepEqual(figures({ cells, carry }, '2024-02', '2024-04'), {
    '2024-02': '0 0 -100 +',
    '2024-03': '0 0 -100',
    '2024-04': '0 0 0',
  });
});

test('months thousands of years from the data', t => {
  t.deepEqual(figures({ cells: FOOD }, '0001-01', '0001-01'), { '0001-01': '0 0 0' });
  t.deepEqual(figures({ cells: FOOD }, '9999-11', '9999-12'), {
    '9999-11': '0 0 20000',
    '9999-12': '0 0 20000',
  });
  t.deepEqual(figures({}, '9999-12', '9999-12'), { '9999-12': '0 0 0' });
});

test('months may be numbers, and a window that begins later has the same figures', t => {
  const cells = { ...FOOD, '2024-05': [0, -50_000], '2024-06': [700, 0] } as const;
  const byText = historyOf({ cells, carry: { '2024-02': true, '2024-06': false } });
  const shown = monthsFrom('2023-11', '2024-09');
  const all = envelopeMonths(byText, shown);
  const numberOf = (month: string) => Number(month.replace('-', ''));
  const byNumber = { ...byText, months: byText.months.map(numberOf) };
  t.deepEqual(envelopeMonths(byNumber, shown.map(numberOf)), all);
  for (let from = 0; from < shown.length; from += 1) {
    t.deepEqual(envelopeMonths(byText, shown.slice(from)), all.slice(from));
  }
});

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 21);
const SHOWN = [
  ...monthsFrom('0001-01', '0001-03'),
  ...monthsFrom('2023-10', '2027-03'),
  ...monthsFrom('9999-10', '9999-12'),
];

test('rules/months.md#envelope-figures: the figures of envelopes add up to those of the months', t => {
  let [shortages, months] = [0, 0];
  for (const seed of SEEDS) {
    const store = createMemoryStore();
    const options = { seed, events: 700, budgets: 2, spaces: 1, users: 2, wildNames: true };
    applyToMemory(store, eventsOf(randomHistory(options)), 0);
    for (const { set } of store.heads.values()) {
      if (set === null) continue;
      const columns = envelopesOf(store, set);
      for (const [index, month] of SHOWN.entries()) {
        const own = columns.map(column => column[index]).filter(isThere);
        const of = monthOf(store, set, month);
        const where = `seed ${seed}, ${set}, ${month}`;
        t.is(sum(own.map(({ assigned }) => assigned)), of.assigned, where);
        t.is(
          sum(own.map(({ available }) => available)),
          of.cashBalance - of.readyToAssign - of.heldForNextMonth - of.uncategorized - of.internal,
          where,
        );
        const short = own.filter(({ available, carriesOver }) => available < 0 && !carriesOver);
        t.is(0 - sum(short.map(({ available }) => available)), of.overspentTotal, where);
        t.is(short.length, of.overspentCount, where);
        shortages += short.length;
        months += 1;
      }
    }
  }
  t.true(shortages > 100 && months > 500, `${shortages} shortages in ${months} months`);
});

type Column = ReturnType<typeof envelopeMonths>;
const isThere = <T>(value: T | undefined): value is T => value !== undefined;

/** The figures of each envelope of a budget in the months of SHOWN; each run of months is asked for by itself. */
function envelopesOf(store: MemoryStore, set: string): Column[] {
  const stored = new Map(documentsOf(store, 'categoryMonths', set).map(one => [one.id, one]));
  return documentsOf(store, 'categories', set)
    .filter(({ budgetMode }) => budgetMode === 'envelope')
    .map(({ id }) => {
      const history = historyOf(givenOf(stored.get(id)));
      return [SHOWN.slice(0, 3), SHOWN.slice(3, -3), SHOWN.slice(-3)].flatMap(run =>
        envelopeMonths(history, run),
      );
    });
}

function givenOf(stored: CategoryMonths | undefined): GivenEnvelope {
  const cells = Object.entries(stored?.cells ?? {}).map(
    ([month, { assigned, spent }]) => [month, [assigned, spent]] as const,
  );
  return { cells: Object.fromEntries(cells), carry: stored?.carry ?? {} };
}

/** The month's own figures, and U and X up to its end. */
function monthOf(store: MemoryStore, set: string, month: string) {
  const years = documentsOf(store, 'years', set)
    .filter(({ id }) => id <= month.slice(0, 4))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const increments = years.flatMap(({ id, months }) =>
    Object.entries(months).flatMap(([name, of]) => (`${id}-${name}` <= month ? [of] : [])),
  );
  return {
    ...monthFigures(years.at(-1) ?? null, month),
    uncategorized: sum(increments.map(({ uncategorized }) => uncategorized)),
    internal: sum(increments.map(({ internal }) => internal)),
  };
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
