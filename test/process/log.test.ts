// The logger: which parts of an error reach the log lines, and which never do.
import { Writable } from 'node:stream';
import test from 'ava';
import { fatalLine, reasonOf } from '../../src/process/describe-error.ts';
import { createLogger } from '../../src/process/log.ts';

/** Returns the parsed line that an error produces. */
function logged(err: unknown) {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  createLogger('info', stream).child({ generation: 'g1' }).error({ err }, 'It broke');
  return { text, line: JSON.parse(text) };
}

test('a line has a time, a level and a message', t => {
  const { line } = logged(new Error('Nobody is there'));
  t.regex(line.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  t.like(line, { level: 50, msg: 'It broke', generation: 'g1' });
  t.false('pid' in line);
});

test('a logged error has its kind, message, code, stack and causes', t => {
  const cause = Object.assign(new TypeError('No route'), { code: 'EHOSTUNREACH' });
  const { line } = logged(new Error('Nobody is there', { cause }));
  t.is(line.err.type, 'Error');
  t.is(line.err.message, 'Nobody is there');
  t.regex(line.err.stack, /^Error: Nobody is there\n +at .*log\.test/);
  t.like(line.err.cause, { type: 'TypeError', message: 'No route', code: 'EHOSTUNREACH' });
});

test('a logged error lacks further fields, and so do its causes', t => {
  const op = { insertOne: { document: { memo: 'Gift for Anna' } } };
  const cause = Object.assign(new Error('Inner'), { errInfo: op });
  const { text } = logged(Object.assign(new Error('Outer', { cause }), { writeErrors: [{ op }] }));
  t.notRegex(text, /Anna/);
  t.regex(text, /Outer/);
  t.regex(text, /Inner/);
});

test('a logged error does not repeat text that a parser quotes', t => {
  let error: unknown;
  try {
    JSON.parse('Gift for Anna');
  } catch (thrown) {
    error = thrown;
  }
  const { text, line } = logged(new Error('Bad row', { cause: error }));
  t.notRegex(text, /Gift|Anna/);
  t.is(line.err.cause.type, 'SyntaxError');
  t.regex(line.err.cause.stack, /at .*log\.test/);
});

test('a logged error does not repeat the command or the key that the database quotes', t => {
  const refused = `not authorized on home_budgeting_access to execute command { findAndModify: "limits_user", query: { _id: "anna" }, lsid: { id: UUID("…") } }`;
  const twice =
    'E11000 duplicate key error collection: b.sessions index: _id_ dup key: { _id: "anna" }';
  for (const message of [refused, twice]) {
    const cause = Object.assign(new Error(message), { name: 'MongoServerError', code: 13 });
    const { text, line } = logged(new Error(message, { cause }));
    t.notRegex(text, /anna|_id:/);
    t.is(line.err.message, line.err.cause.message);
    t.notRegex(reasonOf(cause), /anna/);
  }
  t.is(reasonOf(new Error(refused)), 'Error: not authorized on home_budgeting_access');
});

test('a thrown value that is no error is logged by its kind alone', t => {
  t.deepEqual(logged('Gift for Anna').line.err, { type: 'string' });
});

test('a chain of causes ends after a limit', t => {
  const error = new Error('Round');
  error.cause = error;
  t.true(logged(error).text.length < 20_000);
});

test('the last line of a process is the one that the log would write', t => {
  const cause = Object.assign(new TypeError('No\u2028route\u0007'), { code: 'EHOSTUNREACH' });
  const error = new Error('Nobody "is" there', { cause });
  let text = '';
  const stream = {
    write(line: string) {
      text += line;
    },
  };
  createLogger('fatal', stream).fatal({ err: error }, 'Stopped by an error that nobody expected');
  const at = new Date(JSON.parse(text).time);
  t.is(`${fatalLine(error, at)}\n`, text);
});
