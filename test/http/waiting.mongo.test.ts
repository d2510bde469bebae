// X-Projection-Wait-For: a client reads its own writes.
import { test } from '../helpers/file-test.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { budget, member, payee, space, steps } from '../model/scene.ts';
import { useServed } from './use-served.ts';

let token: string;

const served = useServed(test, { name: 'http_waiting', patient: true }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('s2', ...space(['ben']));
  for (const id of ['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'outside']) {
    await project(id, budget('s1'), ...steps(4));
  }
  await project('foreign', budget('s2'), ...steps(99));
});

/** Waits of 10 s last much longer here: what is answered within this time did not use up its wait, on any machine. */
const LONG_MS = 120_000;

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function wait(
  budgetId: string,
  sequence: number,
  { seconds, asker = token }: { seconds?: number; asker?: string } = {},
) {
  const headers: Record<string, string> = { 'X-Projection-Wait-For': String(sequence) };
  if (seconds !== undefined) headers['X-Projection-Wait-Seconds'] = String(seconds);
  const startedAtMs = performance.now();
  const answer = await served.api(`/payees?budget_id=${budgetId}`, { token: asker, headers });
  return { ...answer, ms: performance.now() - startedAtMs };
}

test('A position that is already reached is answered at once', async t => {
  for (const sequence of [1, 5]) {
    const { status, headers, ms } = await wait('b1', sequence, { seconds: 10 });
    t.is(status, 200);
    t.is(headers.get('x-projection-position'), '5');
    t.true(ms < LONG_MS, `${ms} ms`);
  }
});

test('The reader waits until the budget reaches the position', async t => {
  const waiting = wait('b2', 7, { seconds: 10 });
  await pause(300);
  await served.model.project('b2', ...steps(1));
  await pause(100);
  await served.model.project('b2', ...steps(2));
  const { status, headers, ms } = await waiting;
  t.is(status, 200);
  t.is(headers.get('x-projection-position'), '8');
  t.true(ms >= 400 && ms < LONG_MS, `${ms} ms`);
});

test('Not reached in time: 503 unavailable with Retry-After; default 2 seconds', async t => {
  const { status, headers, body, ms } = await wait('b3', 6);
  t.is(status, 503);
  t.is(body.error.code, 'unavailable');
  t.regex(headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
  t.true(ms >= 1990, `${ms} ms`);
  t.is(headers.get('x-projection-position'), null);
});

test('a budget that stands still until an operator looks at it is not said to come', async t => {
  t.regex((await wait('b6', 6, { seconds: 0 })).body.error.message, /has not reached .* yet$/);
  await served.model.hold('b6', { ...payee('late'), sequence: 99, time: '2026-01-02T03:04:05Z' });
  const { status, body } = await wait('b6', 6, { seconds: 0 });
  t.is(status, 503);
  t.regex(body.error.message, /stands before that position/);
});

test('X-Projection-Wait-Seconds: 0 means no wait', async t => {
  const eight = wait('b3', 6, { seconds: 8 });
  const first = await Promise.race([
    eight,
    wait('b3', 6, { seconds: 0 }).then(() => 'without a wait'),
  ]);
  t.is(first, 'without a wait');
  t.is((await eight).status, 503);
  t.is((await wait('b3', 6, { seconds: 0 })).status, 503);
  t.is((await wait('b3', 5, { seconds: 0 })).status, 200);
});

test('Absent and foreign budgets wait too, then 404, even if the foreign one is beyond the position', async t => {
  for (const id of ['nowhere', 'foreign']) {
    const { status, body, ms } = await wait(id, 6, { seconds: 1 });
    t.is(status, 404, id);
    t.is(body.error.code, 'not_found');
    t.true(ms >= 990, `${id} ${ms} ms`);
  }
});

test('A budget outside the token is 403 at once', async t => {
  const narrowed = await served.issue('anna', { budgets: ['b1'] });
  const { status, ms } = await wait('outside', 99, { seconds: 10, asker: narrowed });
  t.is(status, 403);
  t.true(ms < LONG_MS, `${ms} ms`);
});

test('A budget that is created during the wait is answered', async t => {
  const waiting = wait('born', 1, { seconds: 10 });
  await pause(300);
  await served.model.project('born', budget('s1'));
  const { status, ms } = await waiting;
  t.is(status, 200);
  t.true(ms < LONG_MS, `${ms} ms`);
});

test('A budget that comes into reach during the wait is answered', async t => {
  await served.model.project('s3', ...space(['ben']));
  await served.model.project('shared', budget('s3'), ...steps(2));
  const waiting = wait('shared', 3, { seconds: 10 });
  await pause(300);
  await served.model.project('s3', member('anna'));
  const { status, ms } = await waiting;
  t.is(status, 200);
  t.true(ms < LONG_MS, `${ms} ms`);
});

test('A budget that goes out of reach during the wait is 404', async t => {
  await served.model.project('s4', ...space(['ben']));
  await served.model.project('s4', member('anna'));
  await served.model.project('lost', budget('s4'));
  const waiting = wait('lost', 9, { seconds: 2 });
  await pause(300);
  await served.model.project('s4', { type: 'space.member-removed', data: { userId: 'anna' } });
  t.is((await waiting).status, 404);
});

test('One watcher wakes many requests', async t => {
  const waiting = Array.from({ length: 30 }, () => wait('b4', 9, { seconds: 10 }));
  await pause(300);
  await served.model.project('b4', ...steps(4));
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  t.deepEqual(new Set(statuses), new Set([200]));
});

test('If-None-Match with a wait: 304 if nothing changed, 200 with the new state', async t => {
  const before = await wait('b5', 5);
  const headers = (sequence: number) => ({
    'X-Projection-Wait-For': String(sequence),
    'X-Projection-Wait-Seconds': '10',
    'if-none-match': before.headers.get('etag') ?? '',
  });
  const same = await served.api('/payees?budget_id=b5', { token, headers: headers(5) });
  t.is(same.status, 304);
  const waiting = served.api('/payees?budget_id=b5', { token, headers: headers(6) });
  await pause(100);
  await served.model.project('b5', ...steps(1));
  t.is((await waiting).status, 200);
});

test("Malformed is 400 with the header's name as param", async t => {
  const headers = { 'x-projection-wait-for': '0', 'x-projection-wait-seconds': 'x' };
  const { status, body } = await served.api('/payees?budget_id=b1', { token, headers });
  t.is(status, 400);
  t.deepEqual(
    body.error.details.map(({ param }: { param: string }) => param),
    ['X-Projection-Wait-For', 'X-Projection-Wait-Seconds'],
  );
});

test.serial('Waiting follows a switch of generation', async t => {
  const waiting = wait('b1', 50, { seconds: 10 });
  await pause(400);
  const next = await createReadModel(served.db);
  await next.project('s1', ...space(['anna']));
  await next.project('b1', budget('s1'), ...steps(48));
  await next.activate();
  await pause(200);
  await next.project('b1', ...steps(1));
  const { status, headers } = await waiting;
  t.is(status, 200);
  t.is(headers.get('x-projection-position'), '50');
  await served.model.activate();
});
