import test from 'ava';
import fc from 'fast-check';
import { subjectOf } from '../../src/event-log/subject-of.ts';

for (const [line, subject] of [
  ['{"subject":"a"}', 'a'],
  ['{"id":"1","subject":"a","data":{"subject":"no"}}', 'a'],
  ['{"data":{"subject":"no"},"subject":"a"}', 'a'],
  ['{"data":{"id":"1","subject":"no"},"subject":"a"}', 'a'],
  ['{"data":[{"id":"1","subject":"no"}],"subject":"a"}', 'a'],
  ['{"a\\"subject":"no","subject":"a"}', 'a'],
  ['{"id":",\\"subject\\":\\"no\\"","subject":"a"}', 'a'],
  ['{"id":"{","subject":"a"}', 'a'],
  [' { "subject" : "a" } ', 'a'],
  ['{"subject":"\\u0061"}', 'a'],
  ['{"subject":"é"}', 'é'],
  ['{"data":{"subject":"no"}}', null],
  ['{"subject":7}', null],
  ['[{"subject":"no"}]', null],
  ['["",{"id":1,"subject":"no"}]', null],
  ['null', null],
  ['{"subject":"a', null],
  ['', null],
] as const) {
  test(`the subject of ${line} is found`, t => {
    t.is(subjectOf(Buffer.from(line)), subject);
  });
}

test('the subject is the one that a parser finds, whatever else a line contains', t => {
  const name = fc.oneof(fc.constant('subject'), fc.constant('"subject'), fc.string());
  const value = fc.letrec(tie => ({
    any: fc.oneof(fc.string(), fc.integer(), fc.array(tie('any')), fc.dictionary(name, tie('any'))),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(name, fc.oneof(fc.string(), value)), given => {
      const subject = typeof given.subject === 'string' ? given.subject : null;
      t.is(subjectOf(Buffer.from(JSON.stringify(given))), subject);
    }),
  );
});
