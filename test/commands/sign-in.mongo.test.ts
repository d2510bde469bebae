import { createSignInLinks } from '../../src/access/one-time-secrets.ts';
import { signInCommand } from '../../src/commands/sign-in.ts';
import { UserError } from '../../src/process/errors.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { invoke } from './invoke.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const ORIGIN = 'http://127.0.0.1:3000';

const mongo = useMongo(test);

function setUp(issuer: string | null = null) {
  const db = mongo.database('sign_in');
  const links = createSignInLinks(db);
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const print = (line: string) => lines.push(line);
    await invoke(signInCommand, args, {
      links,
      origin: ORIGIN,
      issuer,
      now: () => NOW,
      print,
    });
    return lines;
  };
  return { db, links, run };
}

test('sign-in prints a link that signs its user in', async t => {
  const { links, run } = setUp();
  const [address = '', explanation] = await run('--user', 'anna');
  const link = new URL(address);
  t.is(link.origin + link.pathname, `${ORIGIN}/settings/sign-in`);
  t.is(await links.use(link.searchParams.get('link') ?? '', NOW), 'anna');
  t.is(explanation, 'Signs anna in, once, within 15 minutes');
});

test('bad input is refused with what was expected, and creates no link', async t => {
  const { db, run } = setUp();
  const cases: [string[], string][] = [
    [[], 'Expected --user U, got none\nUsage:\nbudgeting sign-in --user U'],
    [['--user', 'a', '--user', 'b'], 'Expected --user once, got it 2 times\nUsage'],
    [['--user', 'anna hill'], 'Expected the id of a user, 1 to 128 characters'],
    [['--name', 'x'], '--name'],
    [['--user', 'a', 'b'], 'Expected no argument, got 1'],
  ];
  for (const [args, message] of cases) {
    const error = await t.throwsAsync(run(...args), { instanceOf: UserError });
    t.true(error.message.includes(message), error.message);
  }
  t.is(await db.collection('sign_in_links').countDocuments(), 0);
});

test('sign-in mentions the issuer if there is one', async t => {
  const { run } = setUp('login.example');
  await t.throwsAsync(run('--user', 'anna'), {
    instanceOf: UserError,
    message: `People sign in at login.example (OIDC_ISSUER), at ${ORIGIN}/settings/tokens`,
  });
});
