// BSON read as bytes gives what the driver decodes.
import test from 'ava';
import { BSON, Long } from 'mongodb';
import {
  asciiAt,
  booleanAt,
  eachField,
  fieldName,
  integerIn,
  isNamed,
  nameAt,
  STRING,
} from '../../../../src/store/reading/queries/bson.ts';

const bytesOf = (document: object) => Buffer.from(BSON.serialize(document));

test('fields of every stored type are found, in stored order', t => {
  const bytes = bytesOf({
    id: 'set/food',
    cells: { '2024-01': { assigned: Long.fromNumber(1), list: [1, 'two'] } },
    on: true,
    off: false,
    nothing: null,
    rate: 1.5,
    made: new Date(0),
    count: 3,
    sum: Long.fromNumber(-5),
  });
  const names: string[] = [];
  eachField(bytes, 0, (name, value, type) => {
    names.push(nameAt(bytes, name));
    if (type === STRING) t.is(asciiAt(bytes, value), 'set/food');
    if (isNamed(bytes, name, fieldName('on'))) t.true(booleanAt(bytes, value));
    if (isNamed(bytes, name, fieldName('off'))) t.false(booleanAt(bytes, value));
  });
  t.deepEqual(names, Object.keys(BSON.deserialize(bytes)));
});

test('integers of 32 and 64 bits are read exactly', t => {
  const max = 2 ** 51;
  for (const amount of [0, 1, -1, max, -max, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, -(2 ** 32)]) {
    const bytes = bytesOf({ before: 'x', sum: Long.fromNumber(amount), after: 7 });
    t.is(integerIn(bytes, 0, fieldName('sum')), amount);
    t.is(integerIn(bytes, 0, fieldName('after')), 7);
  }
});

test('a name is compared whole', t => {
  const bytes = bytesOf({ spent: 1, spentOn: 2, sp: 3 });
  t.is(integerIn(bytes, 0, fieldName('sp')), 3);
  t.is(integerIn(bytes, 0, fieldName('spentOn')), 2);
});

test('a missing field, another type and an unknown type are errors', t => {
  const bytes = bytesOf({ sum: '1', pattern: /a/ });
  t.throws(() => integerIn(bytes, 0, fieldName('sum')), { message: /Expected an integer/ });
  t.throws(() => integerIn(bytes, 0, fieldName('other')), { message: /known BSON type, got 11/ });
  const empty = bytesOf({});
  t.throws(() => integerIn(empty, 0, fieldName('other')), { message: /Expected a field other/ });
});
