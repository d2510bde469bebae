// GET /months
import { monthsFrom } from '../../src/process/calendar.ts';
import { test } from '../helpers/file-test.ts';
import { budget, row, space, steps } from '../model/scene.ts';
import { MONTHS, SETTING } from '../model/worked-example.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;
/** The clock of the reader: just before a month ends, UTC. */
let now = new Date('2024-02-29T23:59:59.999Z');

const EVENTS = [
  ...[budget('s1'), ...SETTING, ...MONTHS],
  row('t-1', { date: '0001-01-01', categoryId: 'wage', amount: '0.01' }),
  row('t-2', { date: '2021-12-31', categoryId: 'wage', amount: '1.00' }),
  row('t-3', { date: '2024-02-28', categoryId: 'food', amount: '-15.00' }),
  row('t-4', { date: '9999-12-31', categoryId: 'rent', amount: '0.07' }),
];

const served = useServed(
  test,
  { name: 'http_month_list', clock: () => now, patient: true },
  async () => {
    token = await served.issue('anna', {}, now);
    await served.model.project('s1', ...space(['anna']));
    await served.model.project('b1', ...EVENTS);
    await served.model.project('empty', budget('s1'));
  },
);

const list = (start: string, end: string, budget = 'b1') =>
  served.api(`/months?budget_id=${budget}&start_month=${start}&end_month=${end}`, { token });

async function oneByOne(start: string, end: string, budget = 'b1') {
  const found: unknown[] = [];
  for (const month of monthsFrom(start, end)) {
    found.push((await served.api(`/months/${month}?budget_id=${budget}`, { token })).body);
  }
  return found;
}

for (const [start, end] of [
  ['2023-11', '2024-03'],
  ['2021-11', '2022-02'],
  ['2021-12', '2021-12'],
  ['0001-01', '0001-03'],
  ['9999-11', '9999-12'],
  ['2019-05', '2025-07'],
  ['5000-01', '5001-02'],
] as const) {
  test.serial(`GET /months: ${start} to ${end}, each equal to /months/{month}`, async t => {
    const { status, headers, body } = await list(start, end);
    t.is(status, 200);
    t.is(holdsTo('month-list', body), null);
    t.deepEqual(body, { months: await oneByOne(start, end) });
    t.is(headers.get('x-projection-position'), String(EVENTS.length));
  });
}

test.serial('GET /months: 120 months, and a budget without data', async t => {
  const { body } = await list('2014-03', '2024-02');
  t.is(body.months.length, 120);
  t.is(body.months[119].readyToAssign, '1356.01');
  t.is((await list('2014-02', '2024-02')).status, 400);
  t.deepEqual((await list('2023-12', '2024-01', 'empty')).body, {
    months: await oneByOne('2023-12', '2024-01', 'empty'),
  });
});

test.serial('current is the month in UTC: it moves at midnight, and so does the ETag', async t => {
  const fixed = await list('2024-01', '2024-02');
  const before = await list('2024-01', 'current');
  t.deepEqual(before.body, fixed.body);
  t.not(before.headers.get('etag'), null);
  now = new Date('2024-03-01T00:00:00.000Z');
  const after = await list('2024-01', 'current');
  t.deepEqual(after.body, { months: await oneByOne('2024-01', '2024-03') });
  t.not(after.headers.get('etag'), before.headers.get('etag'));
  t.is((await list('2024-01', '2024-02')).headers.get('etag'), fixed.headers.get('etag'));
  t.deepEqual((await list('current', 'current')).body, {
    months: await oneByOne('2024-03', '2024-03'),
  });
  // On another day of the same month it is the same answer.
  now = new Date('2024-03-31T23:59:59.999Z');
  const later = await served.api('/months?budget_id=b1&start_month=2024-01&end_month=current', {
    token,
    headers: { 'if-none-match': after.headers.get('etag') ?? '' },
  });
  t.is(later.status, 304);
});

test.serial('current: an answer that waits past the end of a month is of the new one', async t => {
  now = new Date('2024-02-29T23:59:59.999Z');
  const headers = {
    'X-Projection-Wait-For': String(EVENTS.length + 1),
    'X-Projection-Wait-Seconds': '10',
  };
  const waitFor = (start: string, end: string) =>
    served.api(`/months?budget_id=b1&start_month=${start}&end_month=${end}`, { token, headers });
  const waiting = [waitFor('current', 'current'), waitFor('current', '2024-02')];
  await served.waits(2);
  now = new Date('2024-03-01T00:00:00.000Z');
  await served.model.project('b1', ...steps(1));
  const [moved, impossible] = await Promise.all(waiting);
  t.deepEqual(moved?.body, { months: await oneByOne('2024-03', '2024-03') });
  t.is(impossible?.status, 400);
  t.is(impossible?.body.error.param, 'end_month');
  t.is(impossible?.headers.get('x-projection-position'), null);
});
