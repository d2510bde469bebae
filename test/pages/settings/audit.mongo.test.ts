// The audit trail of the settings pages and of operators' commands: who and what, never a secret.
import { budgeting } from '../../commands/started.ts';
import { test } from '../../helpers/file-test.ts';
import { type StartedMongo, startMongo } from '../../helpers/mongo.ts';
import { projectSpaces, type Scene, startScene } from './settings-scene.ts';
import { createVisitor, hidden, PLAIN, shownToken } from './visitor.ts';

// The commands have fixed database names, so this file has its own mongod.
let mongo: StartedMongo;
let scene: Scene;

test.before(async () => {
  const { TEST_MONGODB_URL: _, ...env } = process.env;
  mongo = await startMongo(env);
  scene = await startScene(mongo);
  await projectSpaces(scene);
});

test.after.always(async () => {
  await scene?.stop();
  await mongo?.stop();
});

type Line = Record<string, unknown>;

function trail(): Line[] {
  const lines: Line[] = JSON.parse(scene.logged());
  return lines.filter(({ audit }) => audit !== undefined);
}

test.serial('sign-in, tokens and sign-out leave one line each, and no secret', async t => {
  const link = await scene.signInLink('anna');
  const anna = createVisitor(scene.origin);
  await anna.signIn(link);
  const late = createVisitor(scene.origin);
  await late.get(link.slice(scene.origin.length));
  await late.post('/settings/sign-in', { link: link.split('=')[1] ?? '' });
  const form = await anna.newForm();
  const narrowed = { name: 'My private plan', access: 'all', reach: 'picked', budget: 'b-food' };
  const whole = await anna.post('/settings/tokens', { ...PLAIN, ...form });
  const part = await anna.post('/settings/tokens', {
    ...{ ...PLAIN, ...narrowed },
    ...(await anna.newForm()),
  });
  const list = await anna.get('/settings/tokens');
  const [revoke = ''] = /\/settings\/tokens\/[^/"]+\/revoke/.exec(list.text) ?? [];
  const formKey = hidden(await anna.get(revoke), 'form_key');
  await anna.post(revoke, { form_key: formKey });
  await anna.post('/settings/sign-out', { form_key: formKey });

  const lines = trail();
  t.deepEqual(
    lines.map(({ audit, by }) => [audit, by]),
    [
      ['signed in', 'anna'],
      ['sign-in refused', undefined],
      ['sign-in refused', undefined],
      ['token made', 'anna'],
      ['token made', 'anna'],
      ['token revoked', 'anna'],
      ['signed out', 'anna'],
    ],
  );
  t.deepEqual(
    lines.slice(3, 5).map(({ budgets }) => budgets),
    [null, ['b-food']],
  );
  const listed = await scene.tokens.list('anna');
  t.is(lines[5]?.tokenId, listed.find(({ revokedAt }) => revokedAt !== null)?.id);
  for (const { level, requestId } of lines) {
    t.is(level, 30);
    t.regex(String(requestId), /^[0-9a-f-]{36}$/);
  }
  const secrets = [
    ...[shownToken(whole), shownToken(part)].map(token => token?.slice('service_pat_'.length)),
    link.split('=')[1],
    formKey,
    form.form_number,
    'My private plan',
    ...(await scene.access.collection('tokens').find().toArray()).map(({ hash }) => hash),
  ];
  for (const secret of secrets) {
    t.truthy(secret);
    t.false(scene.logged().includes(String(secret)), String(secret));
  }
});

test.serial("operators' commands leave one line each, done or failed, and no secret", async t => {
  const run = (...args: string[]) => budgeting(args, { MONGODB_URL: mongo.url }).ended;
  const issued = await run('token', 'issue', '--user', 'bert', '--name', 'Quiet', '--json');
  t.is(issued.code, 0, issued.err);
  const { token, id } = JSON.parse(issued.out);
  const signIn = await run('sign-in', '--user', 'bert');
  const revoked = await run('token', 'revoke', id);
  const mistaken = await run('token', 'revoke', token);
  const listed = await run('token', 'list');
  const lineOf = ({ audit }: typeof issued): Line => {
    t.is(audit.length, 1);
    const { time, by, level: _, msg, ...facts } = JSON.parse(audit[0] ?? '{}');
    t.regex(time, /^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    t.regex(by, /^\S/);
    t.is(msg, 'audit');
    return facts;
  };
  const audit = 'command';
  const { scopes, ...made } = lineOf(issued);
  t.true(Array.isArray(scopes));
  const command = 'token issue';
  t.deepEqual(made, { audit, command, user: ['bert'], tokenId: id, outcome: 'done' });
  t.deepEqual(lineOf(signIn), { audit, command: 'sign-in', user: ['bert'], outcome: 'done' });
  t.deepEqual(lineOf(revoked), { audit, command: 'token revoke', of: id, outcome: 'done' });
  t.deepEqual(lineOf(mistaken), {
    ...{ audit, command: 'token revoke', of: '(left out)' },
    outcome: 'failed',
  });
  t.deepEqual(listed.audit, []);
  const written = [issued, signIn, revoked, mistaken].flatMap(one => one.audit).join('\n');
  const link = /link=(\S+)/.exec(signIn.out)?.[1] ?? 'none';
  for (const secret of [token, token.slice(12), link, 'Quiet']) {
    t.false(written.includes(secret), secret);
  }
});
