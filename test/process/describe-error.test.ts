// Errors of the database that a person can do something about are one line, whatever command met them.
import test from 'ava';
import { explainedLine } from '../../src/process/describe-error.ts';

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

test('a refused command is one that nobody expected', t => {
  t.is(explainedLine(named('MongoServerError', 'unknown operator: $foo')), null);
});
