// Errors of the database that a person can do something about are one line, whatever command met them.
import test from 'ava';
import { awayLine, explainedLine } from '../../src/process/describe-error.ts';

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

for (const [name, message] of [
  ['MongoNetworkError', 'read ECONNRESET'],
  ['MongoNetworkTimeoutError', 'connection timed out'],
  ['MongoServerSelectionError', 'Server selection timed out after 10000 ms'],
  ['MongoWriteConcernError', 'Primary stepped down while waiting for replication'],
] as const) {
  test(`a database that is away is no unexpected error: ${name}`, t => {
    const line = `MongoDB was away for a moment: ${message}. A change may have been made all the same`;
    t.is(explainedLine(named(name, message)), line);
  });
}

test('a database that does not answer, and what that leaves open', t => {
  const late = named('MongoOperationTimeoutError', 'Timed out after 10000 ms');
  const line = 'MongoDB did not answer in time: Timed out after 10000 ms. Its logs say why';
  t.is(awayLine(late), line);
  t.is(explainedLine(late), `${line}. A change may have been made all the same`);
  t.is(awayLine(named('MongoServerError', 'unknown operator: $foo')), null);
  t.is(awayLine('no error'), null);
});

for (const [code, message] of [
  [50, 'operation exceeded time limit'],
  [112, 'WriteConflict error'],
] as const) {
  test(`a change that others lock names them: ${code}`, t => {
    const line = explainedLine(Object.assign(named('MongoServerError', message), { code })) ?? '';
    t.true(line.startsWith(`MongoDB did not do it: ${message}. Another process`), line);
  });
}

test('a stream that others change at every try is named as that', t => {
  const line = explainedLine(named('StaleError', 'A stream was changed by another process'));
  t.is(
    line,
    'A stream was changed by another process, at every try: look at budgeting parked list, and try again in a moment',
  );
});

test('a refused command is one that nobody expected', t => {
  t.is(explainedLine(named('MongoServerError', 'unknown operator: $foo')), null);
});
