// GET /changes?wait=SECONDS: the answer waits for news (rules/api.md#waits-and-streams).
import { setTimeout as sleep } from 'node:timers/promises';
import { createBounds } from '../../src/http/bounds.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { budget, FURNITURE, member, payee, space, steps } from '../model/scene.ts';
import { type Answered, ONE_MINUTE, type Served, serve } from './serve.ts';
import { useServed } from './use-served.ts';

let token: string;
/** How far the clock of the reader is ahead. */
let aheadMs = 0;
const DAY_MS = 86_400_000;

const served = useServed(
  test,
  {
    name: 'http_changes_wait',
    clock: () => new Date(Date.now() + aheadMs),
    limiterOptions: ONE_MINUTE,
  },
  async () => {
    token = await served.issue('anna');
    await served.model.project('s1', ...space(['anna']));
  },
);

interface Given {
  readonly on?: Served;
  readonly asker?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(query: string, { on = served, asker = token, headers = {} }: Given = {}) {
  const startedAtMs = performance.now();
  const answer = await on.api(`/changes?${query}`, { token: asker, headers });
  return { ...answer, ms: performance.now() - startedAtMs };
}

/** Creates a budget, and returns the cursor after everything. */
async function cursorOf(budgetId: string, on = served, asker = token): Promise<string> {
  await on.model.project(budgetId, budget('s1'), ...FURNITURE);
  return (await ask(`budget_id=${budgetId}`, { on, asker })).body.cursor;
}

/** Resolves once so many requests wait. */
async function untilWaiting(t: Parameters<typeof eventually>[0], count: number, on = served) {
  await eventually(t, async tried => {
    tried.is(on.bounds.waits.taken(), count);
  });
}

function isEmpty({ body }: Answered): boolean {
  const { cursor: _c, has_more: _h, ...lists } = body;
  return Object.values(lists).every(list => Array.isArray(list) && list.length === 0);
}

test.serial('wait is 0 to 60 whole seconds, and only with cursor: else 400 naming it', async t => {
  const cursor = await cursorOf('checked');
  for (const wait of ['61', '-1', '1.5', '01', 'x', '']) {
    const { status, body } = await ask(`budget_id=checked&cursor=${cursor}&wait=${wait}`);
    t.is(status, 400, wait);
    t.is(body.error.param, 'wait', wait);
  }
  for (const query of ['budget_id=checked&wait=0', 'wait=60&budget_id=checked']) {
    const { status, body } = await ask(query);
    t.is(status, 400, query);
    t.is(body.error.param, 'wait');
    t.is(body.error.code, 'invalid_parameter');
  }
  for (const bad of ['nonsense', '', `${'x'.repeat(300)}`]) {
    const { body } = await ask(`budget_id=checked&wait=5&cursor=${bad}`);
    const params = body.error.details.map(({ param }: { param: string }) => param);
    t.deepEqual(params, ['cursor']);
  }
});

test.serial('where something is new, or more follows, the answer comes at once', async t => {
  const cursor = await cursorOf('new');
  await served.model.project('new', payee('fresh'));
  const { status, body, ms } = await ask(`budget_id=new&cursor=${cursor}&wait=60`);
  t.is(status, 200);
  t.is(body.payees[0].id, 'fresh');
  t.true(ms < 10_000);
  const first = await ask('budget_id=new&limit=2');
  const next = await ask(`budget_id=new&limit=2&cursor=${first.body.cursor}&wait=60`);
  t.true(next.ms < 10_000);
  t.true(next.body.has_more);
  t.regex(next.headers.get('link') ?? '', /[?&]wait=60[&>]/);
  t.true(next.headers.get('link')?.includes(`cursor=${next.body.cursor}`));
});

test.serial(
  'an event that changes nothing that is served ends the wait too, with a new cursor',
  async t => {
    const cursor = await cursorOf('same');
    const waiting = ask(`budget_id=same&cursor=${cursor}&wait=60`);
    await untilWaiting(t, 1);
    await served.model.project('same', ...steps(1));
    const answer = await waiting;
    t.true(answer.ms < 20_000);
    t.true(isEmpty(answer));
    t.not(answer.body.cursor, cursor);
  },
);

test.serial(
  'where nothing is new, it waits for the next change of the budget, and of no other',
  async t => {
    const cursor = await cursorOf('quiet');
    await cursorOf('loud');
    const waiting = ask(`budget_id=quiet&cursor=${cursor}&wait=60`);
    let isAnswered = false;
    void waiting.then(() => {
      isAnswered = true;
    });
    await untilWaiting(t, 1);
    t.is(served.bounds.requests.taken(), 0, 'it keeps no other request away');
    await served.model.project('loud', payee('one'));
    await sleep(300);
    t.false(isAnswered);
    await served.model.project('quiet', payee('news'));
    const { status, body, headers, ms } = await waiting;
    t.is(status, 200);
    t.deepEqual(
      body.payees.map(({ id }: { id: string }) => id),
      ['news'],
    );
    t.is(headers.get('x-projection-position'), String(FURNITURE.length + 2));
    t.true(ms >= 300 && ms < 20_000);
  },
);

test.serial(
  'when the time is over: the usual empty page, or 304 with If-None-Match; never 503',
  async t => {
    const cursor = await cursorOf('idle');
    const query = `budget_id=idle&cursor=${cursor}&wait=1`;
    const empty = await ask(query);
    t.is(empty.status, 200);
    t.true(isEmpty(empty));
    t.false(empty.body.has_more);
    t.is(empty.body.cursor, cursor);
    t.true(empty.ms >= 990 && empty.ms < 5000, `${empty.ms} ms`);
    const headers = { 'If-None-Match': empty.headers.get('etag') ?? '' };
    const same = await ask(query, { headers });
    t.is(same.status, 304);
    t.true(same.ms >= 990, `${same.ms} ms`);
    const plain = await ask(`budget_id=idle&cursor=${cursor}`, { headers });
    t.is(plain.status, 304, 'the ETag does not depend on wait');
    const waiting = ask(`budget_id=idle&cursor=${cursor}&wait=60`, { headers });
    await untilWaiting(t, 1);
    await served.model.project('idle', payee('later'));
    t.is((await waiting).body.payees.length, 1);
  },
);

test.serial('an answer that the client has already is no news', async t => {
  const cursor = await cursorOf('known');
  await served.model.project('known', payee('first'));
  const query = `budget_id=known&cursor=${cursor}`;
  const headers = { 'If-None-Match': (await ask(query)).headers.get('etag') ?? '' };
  const waiting = ask(`${query}&wait=60`, { headers });
  await untilWaiting(t, 1);
  await served.model.project('known', payee('second'));
  t.is((await waiting).body.payees.length, 2);
});

test.serial('one read of the limits, however long it waits', async t => {
  const cursor = await cursorOf('one-read');
  const asker = await served.issue('anna');
  const remaining = ({ headers }: Answered) => Number(headers.get('x-ratelimit-remaining'));
  const before = remaining(await ask('budget_id=one-read', { asker }));
  const waited = await ask(`budget_id=one-read&cursor=${cursor}&wait=1`, { asker });
  t.is(remaining(waited), before - 1);
});

test.serial('a token that is revoked or expires meanwhile: 401 within 15 seconds', async t => {
  const cursor = await cursorOf('revoked');
  const { token: asker, record } = await served.tokens.issue({ owner: 'anna' }, new Date());
  const expiring = await served.issue('anna', { expiresInDays: 1 });
  const query = `budget_id=revoked&cursor=${cursor}&wait=60`;
  const waiting = [ask(query, { asker }), ask(query, { asker: expiring })];
  await untilWaiting(t, 2);
  await served.tokens.revoke(record.id, new Date());
  aheadMs = DAY_MS;
  const answers = await Promise.all(waiting);
  aheadMs = 0;
  for (const answer of answers) {
    t.is(answer.status, 401);
    t.is(answer.body.error.code, 'invalid_token');
    t.regex(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
    t.true(answer.ms < 15_000, `${answer.ms} ms`);
  }
  await untilWaiting(t, 0);
});

test.serial('reach that ends meanwhile, by membership or deletion: 404', async t => {
  await served.model.project('s2', ...space(['ben']));
  await served.model.project('s2', member('anna'));
  await served.model.project('shared', budget('s2'));
  await cursorOf('doomed');
  const asked = ['shared', 'doomed'].map(async id => {
    const { body } = await ask(`budget_id=${id}`);
    return await ask(`budget_id=${id}&cursor=${body.cursor}&wait=60`);
  });
  await untilWaiting(t, 2);
  await served.model.project('s2', { type: 'space.member-removed', data: { userId: 'anna' } });
  await served.model.project('doomed', { type: 'budget.deleted', data: {} });
  for (const { status, body, ms } of await Promise.all(asked)) {
    t.is(status, 404);
    t.is(body.error.code, 'not_found');
    t.true(ms < 15_000, `${ms} ms`);
  }
});

test.serial('with X-Projection-Wait-For the position comes first, then the news', async t => {
  const cursor = await cursorOf('both');
  const position = FURNITURE.length + 1;
  const headers = (sequence: number, seconds: number) => ({
    'X-Projection-Wait-For': String(sequence),
    'X-Projection-Wait-Seconds': String(seconds),
  });
  const query = `budget_id=both&cursor=${cursor}&wait=1`;
  const behind = await ask(query, { headers: headers(position + 1, 1) });
  t.is(behind.status, 503, 'as ever, because the position is not reached');
  const reached = await ask(query, { headers: headers(position, 1) });
  t.is(reached.status, 200);
  t.true(reached.ms >= 990);
  const waiting = ask(query, { headers: headers(position + 1, 10) });
  await untilWaiting(t, 1);
  await served.model.project('both', payee('awaited'));
  t.is((await waiting).body.payees.length, 1);
});

test.serial('a switch of generation, and a build that goes on, are survived', async t => {
  const cursor = await cursorOf('switched');
  const waiting = ask(`budget_id=switched&cursor=${cursor}&wait=60`);
  await untilWaiting(t, 1);
  const next = await createReadModel(served.db);
  await next.project('s1', ...space(['anna']));
  await next.project('switched', budget('s1'), ...FURNITURE);
  await next.activate();
  await next.project('switched', payee('after'));
  const { status, body } = await waiting;
  t.is(status, 200);
  t.is(body.payees[0].id, 'after');
  await served.model.activate();
});

test.serial(
  'beyond the bound of waits: 503; a client that leaves gives its place back',
  async t => {
    const small = await serve(served.mongo, 'http_changes_wait_bound', {
      bounds: createBounds({ waits: 1 }),
    });
    t.teardown(() => small.stop());
    await small.model.project('s1', ...space(['anna']));
    const asker = await small.issue('anna');
    const cursor = await cursorOf('b1', small, asker);
    const query = `budget_id=b1&cursor=${cursor}&wait=60`;
    const leaving = new AbortController();
    const left = fetch(`${small.origin}/api/v1/changes?${query}`, {
      headers: { authorization: `Bearer ${asker}` },
      signal: leaving.signal,
    }).catch(() => {});
    await untilWaiting(t, 1, small);
    t.is((await ask(query, { on: small, asker })).status, 503);
    leaving.abort();
    await left;
    await untilWaiting(t, 0, small);
  },
);

test.serial('a reader that stops answers its waits with the empty page', async t => {
  const stopping = await serve(served.mongo, 'http_changes_wait_stop');
  await stopping.model.project('s1', ...space(['anna']));
  const asker = await stopping.issue('anna');
  const cursor = await cursorOf('b1', stopping, asker);
  const waiting = ask(`budget_id=b1&cursor=${cursor}&wait=60`, { on: stopping, asker });
  await untilWaiting(t, 1, stopping);
  await stopping.stop();
  const answer = await waiting;
  t.is(answer.status, 200);
  t.true(isEmpty(answer));
  // A client that asked again on this connection would be cut off.
  t.is(answer.headers.get('connection'), 'close');
});
