// GET /months/{month}
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { test } from '../helpers/file-test.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { budget, row, space } from '../model/scene.ts';
import { assign, MONTHS, SETTING } from '../model/worked-example.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;

const served = useServed(test, { name: 'http_months' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  const lastYear = row('t0', { date: '2023-12-31', categoryId: 'wage', amount: '1.00' });
  await project('s1', ...space(['anna']));
  await project('b1', budget('s1'), ...SETTING, lastYear, ...MONTHS);
});

const month = (name: string) => served.api(`/months/${name}?budget_id=b1`, { token });
const ZEROS = {
  readyToAssign: '0.00',
  assigned: '0.00',
  cashBalance: '0.00',
  overspentTotal: '0.00',
  overspentCount: 0,
  uncategorizedCount: 0,
  heldForNextMonth: '0.00',
};

test('GET /months/{month}: the bare Month object, for the worked example with 1.00 of income in the year before', async t => {
  const january = await month('2024-01');
  t.is(january.status, 200);
  t.is(holdsTo('months', january.body), null);
  t.deepEqual(january.body, {
    month: '2024-01',
    readyToAssign: '1001.00',
    assigned: '800.00',
    cashBalance: '1156.00',
    overspentTotal: '45.00',
    overspentCount: 1,
    uncategorizedCount: 0,
    heldForNextMonth: '200.00',
  });
  t.deepEqual((await month('2024-02')).body, {
    ...ZEROS,
    month: '2024-02',
    readyToAssign: '1356.00',
    assigned: '800.00',
    cashBalance: '1541.00',
    uncategorizedCount: 1,
  });
});

test('month is valid from 0001-01 to 9999-12 and always answers 200', async t => {
  t.deepEqual((await month('0001-01')).body, { ...ZEROS, month: '0001-01' });
  t.deepEqual((await month('2023-11')).body, { ...ZEROS, month: '2023-11' });
  for (const name of ['2024-03', '2025-01', '9999-12']) {
    const { status, body } = await month(name);
    t.is(status, 200);
    t.deepEqual(body, { ...ZEROS, month: name, readyToAssign: '1356.00', cashBalance: '1541.00' });
  }
});

test.serial('the months of a kept year follow position, document set and generation', async t => {
  const figures = async (name: string) => {
    const { body, headers } = await served.api(`/months/${name}?budget_id=b2`, { token });
    return [body.assigned, headers.get('x-projection-position')];
  };
  const { model, db } = served;
  const events = [
    ...[budget('s1'), ...SETTING],
    ...[assign('2024-01', 'food', '0.01'), assign('2024-02', 'food', '0.10')],
  ];
  const [before, after] = [String(events.length), String(events.length + 1)];
  await model.project('b2', ...events);
  t.deepEqual(await figures('2024-01'), ['0.01', before]);
  t.deepEqual(await figures('2024-02'), ['0.10', before]);
  await model.project('b2', assign('2024-02', 'food', '0.20'));
  t.deepEqual(await figures('2024-02'), ['0.20', after]);
  // The same events give another set the same figures, so the test changes the stored ones.
  await rebuildStream(model.store, 'b2', { ...model.context, now: new Date() });
  const head = await model.store.collections.heads.findOne({ _id: 'b2' });
  const set = head?.set ?? '';
  const change = { $set: { 'months.02.assigned': 30 } };
  await model.store.collections.years.updateOne({ id: '2024', set }, change);
  t.deepEqual(await figures('2024-02'), ['0.30', after]);
  const next = await createReadModel(db);
  await next.project('s1', ...space(['anna']));
  await next.project('b2', ...events, assign('2024-02', 'food', '0.40'));
  await next.activate();
  t.deepEqual(await figures('2024-02'), ['0.40', after]);
  await model.activate();
  t.deepEqual(await figures('2024-02'), ['0.30', after]);
});

test('A month that does not exist is 400, a path that is not the path of a month is 404', async t => {
  for (const name of ['2024-13', '2024-00', '0000-01', '24-01', 'a%2Fb', '%ff', '2024-01%20']) {
    const { status, body } = await month(name);
    t.is(status, 400, name);
    t.is(body.error.param, 'month', name);
    t.is(holdsTo('error', body), null);
  }
  for (const name of ['', '2024-01/', 'a/b']) t.is((await month(name)).status, 404, name);
});
