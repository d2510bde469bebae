// What pages for signed-in people cost where nobody is signed in, or the database is slow.
import { connect } from 'node:net';
import { createSecret } from '../../../src/access/secret.ts';
import { eventually } from '../../helpers/eventually.ts';
import { test } from '../../helpers/file-test.ts';
import { servePages } from './serve-pages.ts';
import { createVisitor } from './visitor.ts';

/** 404 for a signed-in person, because there is no such token; otherwise 303 to the sign-in. */
const PAGE = '/settings/tokens/none/revoke';
const COOKIE = 'budgeting-session';
const NOW = Date.parse('2026-03-14T12:00:15.500Z');

const from = (address: string) => ({ 'x-forwarded-for': address });

async function start(t: Parameters<typeof servePages>[0]) {
  const good = createSecret();
  const state = { lookUps: 0, nowMs: NOW };
  const find = async (id: string) => {
    state.lookUps += 1;
    return id === good ? { user: 'anna' } : null;
  };
  const { origin } = await servePages(t, {
    sessions: { find },
    clock: () => new Date(state.nowMs),
  });
  const ask = async (id: string, address: string) => {
    const visitor = createVisitor(origin);
    visitor.jar.set(COOKIE, id);
    return await visitor.get(PAGE, from(address));
  };
  return { good, state, ask };
}

test('made-up cookies of one address cost 60 look-ups a minute, and 429 beyond that', async t => {
  const { state, ask } = await start(t);
  const answers = await Promise.all(
    Array.from({ length: 300 }, () => ask(createSecret(), '192.0.2.1')),
  );
  t.is(state.lookUps, 60);
  t.is(answers.filter(({ status }) => status === 303).length, 60);
  const refused = answers.filter(({ status }) => status === 429);
  t.is(refused.length, 240);
  t.is(refused[0]?.headers['retry-after'], '45');
  t.regex(refused[0]?.text ?? '', /Too many requests/);
  t.is((await ask(createSecret(), '192.0.2.2')).status, 303, 'another address');
  state.nowMs += 60_000;
  t.is((await ask(createSecret(), '192.0.2.1')).status, 303, 'another minute');
});

test('a person who was seen before is not refused because of others at the address', async t => {
  const { good, state, ask } = await start(t);
  t.is((await ask(good, '192.0.2.1')).status, 404);
  for (let count = 0; count < 60; count += 1) await ask(createSecret(), '192.0.2.1');
  t.is((await ask(createSecret(), '192.0.2.1')).status, 429);
  t.is((await ask(good, '192.0.2.1')).status, 404);
  t.is(state.lookUps, 62);
});

test('a good session and a malformed cookie cost no attempt', async t => {
  const { good, ask } = await start(t);
  for (let count = 0; count < 100; count += 1) {
    t.is((await ask(good, '192.0.2.1')).status, 404);
    t.is((await ask('x', '192.0.2.1')).status, 303);
  }
});

test('while the database is slow 100 pages wait, and further ones are 503 at once', async t => {
  const { promise, resolve } = deferred();
  const find = async () => {
    await promise;
    return null;
  };
  const { origin } = await servePages(t, { sessions: { find } });
  let answered = 0;
  const asking = Array.from({ length: 150 }, async (_, index) => {
    const visitor = createVisitor(origin);
    visitor.jar.set(COOKIE, createSecret());
    const answer = await visitor.get('/settings/tokens', from(`192.0.2.${index}`));
    answered += 1;
    if (answered === 50) resolve();
    return answer;
  });
  const answers = await Promise.all(asking);
  const shed = answers.filter(({ status }) => status === 503);
  t.is(shed.length, 50);
  t.is(shed[0]?.headers['retry-after'], '2');
  t.regex(shed[0]?.text ?? '', /Not available/);
  t.is(answers.filter(({ status }) => status === 303).length, 100);
});

test('slow forms of one person keep nobody else away', async t => {
  const [anna, ben] = [createSecret(), createSecret()];
  const users = new Map([
    [anna, { user: 'anna' }],
    [ben, { user: 'ben' }],
  ]);
  const { origin } = await servePages(t, { sessions: { find: async id => users.get(id) ?? null } });
  const { host, port } = new URL(origin);
  const head = [
    'POST /settings/tokens HTTP/1.1',
    `Host: ${host}`,
    `Origin: ${origin}`,
    `Cookie: ${COOKIE}=${anna}`,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 100',
  ];
  const slow = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    t.teardown(() => socket.destroy());
    socket.write(`${head.join('\r\n')}\r\n\r\nname=`);
    return socket;
  });
  const statusOf = async (id: string) => {
    const visitor = createVisitor(origin);
    visitor.jar.set(COOKIE, id);
    return (await visitor.get(PAGE)).status;
  };
  await eventually(t, async tried => void tried.is(await statusOf(anna), 503));
  t.is(await statusOf(ben), 404);
  for (const socket of slow) socket.destroy();
  await eventually(t, async tried => void tried.is(await statusOf(anna), 404));
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
}
