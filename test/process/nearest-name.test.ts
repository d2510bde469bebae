import test from 'ava';
import { nearestName } from '../../src/process/nearest-name.ts';

const PARAMETERS = ['budget_id', 'account_id', 'start_date', 'end_date', 'search', 'limit'];

for (const [typed, expected] of [
  ['since_date', 'start_date'],
  ['budgetId', 'budget_id'],
  ['Budget-ID', 'budget_id'],
  ['acount_id', 'account_id'],
  ['imit', 'limit'],
  ['serach', 'search'],
  ['from_date', null],
  ['begin_date', null],
  ['colour', null],
  ['', null],
  ['=_', null],
  ['__proto__', null],
] as const) {
  test(`${JSON.stringify(typed)} was probably meant as ${expected}`, t => {
    t.is(nearestName(typed, PARAMETERS), expected);
  });
}

test('a name of more than 40 characters is compared with nothing', t => {
  t.is(nearestName('limit'.padEnd(40, '_'), PARAMETERS), 'limit');
  t.is(nearestName('limit'.padEnd(41, '_'), PARAMETERS), null);
});

test('nothing is near where nothing is known', t => {
  t.is(nearestName('limit', []), null);
});
