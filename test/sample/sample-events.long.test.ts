import test from 'ava';
import {
  BUDGET_EVENT_TYPES,
  type DomainEvent,
  SPACE_EVENT_TYPES,
} from '../../schemas/generated/events.ts';
import { decode } from '../../src/event-log/decode.ts';
import { addMonths } from '../../src/process/calendar.ts';
import {
  SAMPLE_OTHER_USER,
  SAMPLE_SEED,
  SAMPLE_USER,
  sampleEvents,
} from '../../src/sample/sample-events.ts';
import { createModel } from '../model/model.ts';

const TODAY = '2026-03-15';

function sample(seed: number, today = TODAY): DomainEvent[] {
  return [...sampleEvents({ seed, today })];
}

const EVENTS = sample(SAMPLE_SEED);

interface IdAndName {
  id: string;
  name: string;
}

interface Row {
  date: string;
  type: string;
  memo: string;
  amount: string;
  amountNative: string | null;
  exchangeRate: number | null;
  categoryId: string | null;
  splitGroupId: string | null;
  labels: IdAndName[];
  cleared: boolean;
  reconciled: boolean;
}

interface Month {
  readyToAssign: string;
  cashBalance: string;
  overspentCount: number;
  overspentTotal: string;
  heldForNextMonth: string;
}

// An independent implementation of the specification computes the state of the sample.
const MODEL = createModel();
for (const event of EVENTS) MODEL.deliver(event);

const MONTHS = Array.from({ length: 37 }, (_, index) => addMonths('2023-03', index));

function bodyOf<K extends string, T>(body: unknown, key: K): T[] {
  return (body as Record<K, T[]>)[key];
}

function allRows(budgetId: string): Row[] {
  const answers = MODEL.answers(SAMPLE_USER, { today: TODAY });
  const rows: Row[] = [];
  for (let offset = 0; ; offset += 1000) {
    const page = bodyOf<'transactions', Row>(
      answers.transactions(budgetId, { offset }),
      'transactions',
    );
    rows.push(...page);
    if (page.length < 1000) return rows;
  }
}

test('the same seed and day give the same events, and another seed gives others', t => {
  t.true(JSON.stringify(sample(SAMPLE_SEED)) === JSON.stringify(EVENTS));
  t.false(JSON.stringify(sample(SAMPLE_SEED + 1)) === JSON.stringify(EVENTS));
});

test('any day of the year gives 6000 to 7000 events', t => {
  for (const today of ['2026-02-01', '2028-02-29', '2026-12-31']) {
    const { length } = sample(SAMPLE_SEED, today);
    t.true(length >= 6000 && length <= 7000, `${length} for ${today}`);
  }
});

test('every event is a valid event of the catalogue', t => {
  const others = EVENTS.map(event => decode(JSON.stringify(event), event.subject)).filter(
    ({ kind }) => kind !== 'event',
  );
  t.deepEqual(others, []);
});

test('docs/events.md: the sample uses every type of the catalogue', t => {
  const used = new Set(EVENTS.map(({ type }) => type));
  const types = [...SPACE_EVENT_TYPES, ...BUDGET_EVENT_TYPES];
  t.deepEqual(
    types.filter(type => !used.has(type)),
    [],
  );
});

test('each stream is numbered 1, 2, 3 …, and event ids are unique', t => {
  const last = new Map<string, number>();
  for (const { subject, sequence } of EVENTS) {
    t.is(sequence, (last.get(subject) ?? 0) + 1, subject);
    last.set(subject, sequence);
  }
  t.is(new Set(EVENTS.map(({ id }) => id)).size, EVENTS.length);
});

test('times ascend and end before today', t => {
  const times = EVENTS.map(({ time }) => time);
  t.true(times.every((time, index) => index === 0 || time > (times[index - 1] ?? '')));
  t.true((times.at(-1) ?? '') < `${TODAY}T00:00:00Z`);
  t.is(times[0]?.slice(0, 10), '2023-03-01');
});

test('no event is invalid, and rules/months.md#law holds in every budget', t => {
  t.deepEqual(MODEL.held(), []);
  t.is(MODEL.budgetIds().length, 3);
  for (const id of MODEL.budgetIds()) t.deepEqual(MODEL.lawViolations(id), [], id);
});

test('two people share one space, and one of them has a budget with a successor', t => {
  const budgetsOf = (user: string) =>
    bodyOf<'budgets', IdAndName & { spaceName: string | null; archivedAt: string | null }>(
      MODEL.answers(user, { today: TODAY }).budgets(),
      'budgets',
    );
  t.is(budgetsOf(SAMPLE_USER).length, 3);
  t.is(budgetsOf(SAMPLE_OTHER_USER).length, 1);
  t.is(budgetsOf(SAMPLE_USER).filter(({ archivedAt }) => archivedAt !== null).length, 1);
  t.true(budgetsOf(SAMPLE_USER).some(({ spaceName }) => spaceName === null));
});

test('the household has rows of every kind that the API can show', t => {
  const rows = allRows('household');
  const has = (wanted: (row: Row) => boolean): boolean => rows.some(wanted);
  t.true(has(({ date }) => date > TODAY));
  t.true(has(({ splitGroupId }) => splitGroupId !== null));
  t.true(has(({ amountNative, exchangeRate }) => amountNative !== null && exchangeRate !== null));
  t.true(has(({ labels }) => labels.length > 0));
  t.true(has(({ memo }) => memo !== ''));
  t.true(has(({ cleared }) => !cleared));
  t.true(has(({ reconciled }) => reconciled));
  t.true(has(({ categoryId, type }) => categoryId === null && type === 'standard'));
  t.deepEqual([...new Set(rows.map(({ type }) => type))].sort(), [
    'reconciliation',
    'standard',
    'startingBalance',
    'transfer',
  ]);
});

test('the household overspends in some months, holds money, and lives within its means', t => {
  const months = MODEL.answers(SAMPLE_USER, { today: TODAY });
  const all = MONTHS.map(month => months.month('household', month) as unknown as Month);
  t.true(all.some(({ overspentCount }) => overspentCount > 0));
  t.true(all.every(({ overspentTotal }) => Number(overspentTotal) < 1_000));
  t.true(all.slice(0, -2).some(({ overspentCount }) => overspentCount === 0));
  t.true(all.some(({ heldForNextMonth }) => heldForNextMonth !== '0.00'));
  t.true(all.every(({ cashBalance }) => Number(cashBalance) > 0));
  t.true(all.every(({ readyToAssign }) => Math.abs(Number(readyToAssign)) < 15_000));
});

test('an account in a foreign currency is consistent: amount = native amount × rate', t => {
  for (const { amount, amountNative, exchangeRate } of allRows('household')) {
    if (amountNative === null || exchangeRate === null) continue;
    const difference = Number(amount) - Number(amountNative) * exchangeRate;
    t.true(Math.abs(difference) < 0.0051, `${amount} of ${amountNative} × ${exchangeRate}`);
  }
});
