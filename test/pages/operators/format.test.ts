// Numbers, times and reasons on the operators' page.
import test from 'ava';
import {
  formatCount,
  formatDuration,
  formatRate,
  formatTime,
} from '../../../src/pages/operators/format.ts';
import { redactReason } from '../../../src/process/printable.ts';

for (const [seconds, shown] of [
  [-3, '0 s'],
  [0.4, '0 s'],
  [59.6, '1 min'],
  [61, '1 min 1 s'],
  [7500, '2 h 5 min'],
  [86_400, '1 d'],
  [90_061, '1 d 1 h'],
] as const) {
  test(`${seconds} seconds are ${shown}`, t => {
    t.is(formatDuration(seconds), shown);
  });
}

test('numbers and times are readable', t => {
  t.is(formatCount(22_245.4), '22,245');
  t.is(formatRate(0.26), '0.3');
  t.is(formatRate(1234.5), '1,235');
  t.is(formatTime('2026-11-20T10:00:01.250Z'), '2026-11-20 10:00:01 UTC');
});

for (const [reason, shown] of [
  ['The payee p-1 is there already', 'The payee p-1 is there already'],
  [
    'Expected data.amount to be money, got "Gift for Anna"',
    'Expected data.amount to be money, got a text',
  ],
  [
    'Expected data.amount to be money, got "Gift \\" for Anna" and more',
    'Expected data.amount to be money, got a text',
  ],
  [
    'Verification found a difference: home: payees/p name: expected "Anna", stored "Bert"',
    'Verification found a difference: home: payees/p name',
  ],
  [
    'Verification found a difference: cash by accounts should be 1184.08, is -1179.08',
    'Verification found a difference: cash by accounts should be …, is …',
  ],
  [
    'The amounts of the budget would add up to 2251799813685300 hundredths, more than 2^51',
    'The amounts of the budget would add up to … hundredths, more than 2^51',
  ],
  [
    'DATA_LOSS in topic e, partition 3: expected offset 5160 next, but the log holds offsets 0 to 99',
    'DATA_LOSS in topic e, partition 3: expected offset 5160 next, but the log holds offsets 0 to 99',
  ],
  ['connect ECONNREFUSED 192.168.10.25:27017', 'connect ECONNREFUSED 192.168.10.25:27017'],
  ['A text without an end: "Gift for Anna', 'A text without an end: a text'],
] as const) {
  test(`a reason is shown without values: ${reason}`, t => {
    t.is(redactReason(reason), shown);
  });
}
