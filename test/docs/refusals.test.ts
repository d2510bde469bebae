// The form of every message with which a command, a process or the API refuses something: it names a thing and a number,
// what was expected and what came, and when to try again. Read from the sources, so that a new message is judged too.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { sourceFiles } from '../helpers/source-files.ts';
import { refusalsIn } from './refusals.ts';

/** Pages for people have whole sentences; the others are in nobody's way. */
const OTHER_FORMS = ['src/pages/settings/', 'src/http/docs/'];
const refusals = sourceFiles(process.cwd(), ['src'])
  .filter(path => !OTHER_FORMS.some(folder => path.startsWith(folder)))
  .flatMap(path => refusalsIn(path, readFileSync(path, 'utf8')))
  // The kinds of obstacles of NotReadyError.
  .filter(({ text }) => /[A-Z…]/.test(text));

interface Form {
  readonly title: string;
  readonly isBroken: (text: string) => boolean;
  /** Messages that may break the rule. */
  readonly but: readonly string[];
}

/** Parts of a message: the rest comes from another text. */
const PARTS = ['or a running replica set in MONGODB_URL'];

const FORMS: readonly Form[] = [
  {
    title: 'begins with the name of a thing',
    isBroken: text =>
      !/^(?:[A-Z…]|--)/.test(text) || /^(?:It|They|That|He|She|We|You)\b/.test(text),
    but: PARTS,
  },
  {
    title: 'ends without a full stop, and nobody shouts',
    isBroken: text => /[.!]\s*$/.test(text) || text.includes('!'),
    but: [],
  },
  {
    title: 'says what came where it says what was expected',
    isBroken: text =>
      /^(?:…: |… line \d+: )?Expected /.test(text) &&
      !/[,;] got | but …|, as the archive says/.test(text),
    but: [
      // The other part says what came.
      'Expected scopes from …',
      // The client sent nothing of it, or something that is not shown: bytes that are no text, a secret, a cursor.
      'Expected the header Authorization: Bearer <token>',
      'Expected GET or HEAD',
      'Expected the header Host to be a host and a port or none',
      'Expected parameters to be percent-encoded UTF-8',
      'Expected … to be percent-encoded UTF-8',
      'Expected a well-formed request of HTTP/1.1',
      'Expected a target and headers of at most … bytes',
      'Expected the whole request sooner',
      'Expected cursor to be one …; start again without it',
      'Expected a Host that is this machine: see docs/monitoring.md',
      'Expected one of …',
    ],
  },
  {
    title: 'gives every bound a unit',
    isBroken: text => /\bat most …(?! ?[a-z%])/.test(text),
    // Money has no other unit than its digits.
    but: ['Expected absolute amounts that add up to at most …, got more here'],
  },
  {
    title: 'says when to try again',
    isBroken: text => /\btry(?:ing)? again\b(?! (?:in …|when|after|with))/.test(text),
    but: [],
  },
  {
    title: 'names which one, or what to do',
    isBroken: text => !/…|, got |:(?: |$)|[a-z]+_[a-z]+|[A-Z]{3}/.test(text),
    but: [
      // The API names no internals (docs/rules/api.md, Errors); Retry-After says when to try again.
      'The service is overloaded',
      'The service is shutting down',
      'The database is away or too slow',
      'The budget has not reached that position yet',
      'No read model is built yet',
      'Expected the whole request sooner',
      'Expected the header Host to be a host and a port or none',
      // The last line of a list, or the answer to a question that named it.
      'Nothing was deleted',
      'Nothing was imported',
      'Stopped before all was verified',
      'Stopped before all events were folded',
    ],
  },
];

test('there are messages, from commands, projectors and the API', t => {
  t.true(refusals.length > 180, `only ${refusals.length}`);
  for (const folder of ['commands', 'projector', 'http', 'event-log', 'import', 'access']) {
    t.true(
      refusals.some(({ place }) => place.startsWith(`src/${folder}/`)),
      folder,
    );
  }
});

for (const { title, isBroken, but } of FORMS) {
  test(`each message ${title}`, t => {
    const broken = refusals.filter(({ text }) => isBroken(text));
    t.deepEqual(
      broken.filter(({ text }) => !but.includes(text)).map(({ place, text }) => `${place} ${text}`),
      [],
    );
    // An exception that no message needs is forgotten here.
    t.deepEqual(
      but.filter(text => !broken.some(one => one.text === text)),
      [],
    );
  });
}

test('messages are read whole: joined, from templates with values, and of either answer', t => {
  const source = `
    throw new UserError('One ' + 'two', { cause });
    throw new UserError(
      \`Three \${names.map(name => \`\${name}x\`).join(', ')} four\`,
    );
    throw isOne ? new UserError('Five') : unavailable(isTwo ? 'Sixty' : \`Seven\`);
    return 'Expected eight, got nine';
    throw new Error('Expected nothing of this');
  `;
  t.deepEqual(
    refusalsIn('x.ts', source).map(({ text }) => text),
    ['One two', 'Three … four', 'Five', 'Sixty', 'Seven', 'Expected eight, got nine'],
  );
});
