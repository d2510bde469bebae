// GET /events: what a stream sends, to which tokens, and when it ends (rules/api.md#waits-and-streams).
import { createBounds } from '../../src/http/bounds.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { budget, member, space, steps } from '../model/scene.ts';
import { ONE_MINUTE, serve } from './serve.ts';
import { at, gone, openStream, type StreamClient } from './stream-client.ts';
import { useServed } from './use-served.ts';

/** How long a stop waits for requests: far longer than it takes without any, on slow machines too. */
const DRAIN_MS = 120_000;

const served = useServed(test, { name: 'http_events' }, async () => {
  const { project } = served.model;
  await project('s1', ...space(['anna', 'olga']));
  await project('s2', ...space(['ben']));
  await project('household', budget('s1'), ...steps(4));
  await project('holidays', budget('s1'), ...steps(1));
  await project('foreign', budget('s2'), ...steps(9));
});

async function stream(
  t: { teardown(act: () => void): void },
  token: string,
  on = served,
): Promise<StreamClient> {
  const opened = await openStream(on.origin, token);
  t.teardown(() => opened.close());
  return opened;
}

test('on connect it tells the position of every budget, and how to come back', async t => {
  const token = await served.issue('olga', { scopes: ['budgets:read'] });
  const client = await stream(t, token);
  t.is(client.status, 200);
  t.is(client.headers['content-type'], 'text/event-stream');
  t.is(client.headers['cache-control'], 'no-store');
  t.is(client.headers['content-encoding'], undefined);
  t.is(client.headers.etag, undefined);
  t.is(client.headers['access-control-allow-origin'], '*');
  t.regex(String(client.headers['x-ratelimit-remaining']), /^\d+$/);
  await client.told(at('household', 5));
  await client.told(at('holidays', 2));
  t.is(client.text().slice(0, 13), 'retry: 5000\n\n');
  t.regex(client.text(), /event: position\ndata: \{"budgetId":"household","position":5\}\n\n/);
  t.false(client.text().includes('foreign'));
});

test('after a change it tells the position, which is readable at once', async t => {
  const token = await served.issue('anna');
  await served.model.project('growing', budget('s1'));
  const client = await stream(t, token);
  await client.told(at('growing', 1));
  for (let position = 2; position < 12; position += 1) {
    const projected = served.model.project('growing', ...steps(1));
    await client.told(at('growing', position));
    for (const path of ['/changes', '/accounts']) {
      const { headers } = await served.api(`${path}?budget_id=growing`, { token });
      t.true(Number(headers.get('x-projection-position')) >= position);
    }
    await projected;
  }
});

test('a narrowed token gets its budgets alone', async t => {
  await served.model.project('narrow', budget('s1'));
  await served.model.project('wide', budget('s1'));
  const client = await stream(t, await served.issue('anna', { budgets: ['narrow', 'foreign'] }));
  await served.model.project('wide', ...steps(2));
  await served.model.project('narrow', ...steps(2));
  await client.told(at('narrow', 3));
  t.deepEqual([...new Set(client.events().map(({ budgetId }) => budgetId))], ['narrow']);
});

test('a budget that comes into reach later is sent; foreign ones never are', async t => {
  const client = await stream(t, await served.issue('anna'));
  await served.model.project('born', budget('s1'));
  await client.told(at('born', 1));
  await served.model.project('s3', ...space(['ben']));
  await served.model.project('shared', budget('s3'), ...steps(3));
  await served.model.project('foreign', ...steps(1));
  await served.model.project('s3', member('anna'));
  await client.told(at('shared', 4));
  await served.model.project('shared', ...steps(1));
  await client.told(at('shared', 5));
  t.false(client.text().includes('foreign'));
  t.deepEqual(
    client.events().flatMap(event => (event.budgetId === 'shared' ? event.position : [])),
    [4, 5],
    'not before it came into reach',
  );
});

test('the end of membership and a deletion: gone, and then nothing more', async t => {
  await served.model.project('s4', ...space(['carl', 'anna']));
  await served.model.project('left', budget('s4'));
  await served.model.project('deleted', budget('s1'));
  const [anna, carl] = await Promise.all([
    served.issue('anna').then(token => stream(t, token)),
    served.issue('carl').then(token => stream(t, token)),
  ]);
  await anna.told(at('left', 1));
  await carl.told(at('left', 1));
  await served.model.project('s4', { type: 'space.member-removed', data: { userId: 'anna' } });
  await anna.told(gone('left'));
  await served.model.project('left', ...steps(1));
  await carl.told(at('left', 2));
  await served.model.project('deleted', { type: 'budget.deleted', data: {} });
  await anna.told(gone('deleted'));
  t.false(anna.events().some(at('left', 2)));
  t.false(carl.events().some(({ event }) => event === 'gone'));
});

test('a budget that comes back is sent again', async t => {
  await served.model.project('s5', ...space(['dora']));
  await served.model.project('s5', member('eva'));
  await served.model.project('back', budget('s5'));
  const client = await stream(t, await served.issue('eva'));
  await client.told(at('back', 1));
  await served.model.project('s5', { type: 'space.member-removed', data: { userId: 'eva' } });
  await client.told(gone('back'));
  await served.model.project('s5', member('eva'));
  await eventually(t, async tried => {
    const events = client.events().map(({ event, position }) => `${event} ${position ?? ''}`);
    tried.deepEqual(events, ['position 1', 'gone ', 'position 1']);
  });
});

test('a revoked token and an expired one end their streams, and nobody else’s', async t => {
  const owner = 'anna';
  const { token, record } = await served.tokens.issue({ owner }, new Date());
  const dayMs = 86_400_000;
  const expiring = await served.issue(
    owner,
    { expiresInDays: 1 },
    new Date(Date.now() - dayMs + 2000),
  );
  const other = await stream(t, await served.issue(owner));
  const revoked = await stream(t, token);
  const expired = await stream(t, expiring);
  await served.tokens.revoke(record.id, new Date());
  const startedAtMs = performance.now();
  await Promise.all([revoked.ended, expired.ended]);
  t.true(performance.now() - startedAtMs < 15_000);
  t.is((await openStream(served.origin, token)).status, 401);
  await served.model.project('after', budget('s1'));
  await other.told(at('after', 1));
  t.false(revoked.text().includes('after'));
});

test('at most 5 streams of a token: the next is 429 until one closes', async t => {
  const token = await served.issue('olga');
  const open = await Promise.all(Array.from({ length: 5 }, () => stream(t, token)));
  t.true(open.every(({ status }) => status === 200));
  const sixth = await served.api('/events', { token });
  t.is(sixth.status, 429);
  t.is(sixth.body.error.code, 'rate_limited');
  t.is(sixth.headers.get('retry-after'), '15');
  t.is(sixth.headers.get('x-ratelimit-limit'), '5');
  t.is(sixth.headers.get('x-ratelimit-remaining'), '0');
  t.is((await served.api('/events', { token, method: 'HEAD' })).status, 429);
  t.is((await stream(t, await served.issue('olga'))).status, 200, 'another token has its own');
  open[2]?.close();
  await eventually(t, async tried => {
    tried.is((await served.api('/events', { token, method: 'HEAD' })).status, 200);
  });
  t.is((await stream(t, token)).status, 200);
});

test('HEAD answers the headers without a stream', async t => {
  const token = await served.issue('olga');
  for (let times = 0; times < 7; times += 1) {
    const head = await served.api('/events', { token, method: 'HEAD' });
    t.is(head.status, 200);
    t.is(head.headers.get('content-type'), 'text/event-stream');
    t.is(head.headers.get('cache-control'), 'no-store');
    t.is(head.text, '');
  }
});

test('the checks of every endpoint: token, scope, parameters, method', async t => {
  t.is((await served.api('/events')).status, 401);
  const narrow = await served.issue('anna', { scopes: ['accounts:read'] });
  t.is((await served.api('/events', { token: narrow })).status, 403);
  const token = await served.issue('anna');
  const unknown = await served.api('/events?budget_id=household', { token });
  t.is(unknown.body.error.code, 'unknown_parameter');
  t.is((await served.api('/events', { token, method: 'POST' })).status, 405);
});

test('beyond the bound of the process: 503 with Retry-After; a closed stream gives its place back', async t => {
  const small = await serve(served.mongo, 'http_events_bound', {
    bounds: createBounds({ streams: 2 }),
  });
  t.teardown(() => small.stop());
  await small.model.project('s1', ...space(['anna']));
  const token = await small.issue('anna');
  const [first] = await Promise.all([stream(t, token, small), stream(t, token, small)]);
  for (const method of ['GET', 'HEAD']) {
    const refused = await small.api('/events', { token, method });
    t.is(refused.status, 503);
    t.is(refused.headers.get('retry-after'), '2');
  }
  t.is((await small.api('/budgets', { token })).status, 200, 'streams keep nobody else away');
  t.is(small.bounds.requests.taken(), 0);
  t.is(small.bounds.streams.refused(), 1);
  first?.close();
  await eventually(t, async tried => {
    tried.is(small.bounds.streams.taken(), 1);
  });
  t.is((await stream(t, token, small)).status, 200);
});

test('connecting is one read, and a refused one is counted too', async t => {
  const counted = await serve(served.mongo, 'http_events_counted', {
    limits: { tokenReadsPerMinute: 3 },
    limiterOptions: ONE_MINUTE,
  });
  t.teardown(() => counted.stop());
  const token = await counted.issue('anna');
  const opened = await stream(t, token, counted);
  t.is(opened.headers['x-ratelimit-remaining'], '2');
  await stream(t, token, counted);
  await stream(t, token, counted);
  t.is((await counted.api('/events', { token })).status, 429);
});

test('without a read model: 503, and the places are free again', async t => {
  const empty = await serve(served.mongo, 'http_events_empty', { empty: true });
  t.teardown(() => empty.stop());
  const token = await empty.issue('anna');
  for (let times = 0; times < 7; times += 1) {
    const { status, body } = await empty.api('/events', { token });
    t.is(status, 503);
    t.is(body.error.code, 'unavailable');
  }
  await eventually(t, async tried => {
    tried.is(empty.bounds.streams.taken(), 0);
  });
});

test('a switch of generation: no position steps back, and the stream goes on', async t => {
  const switching = await serve(served.mongo, 'http_events_switch');
  t.teardown(() => switching.stop());
  const { project } = switching.model;
  await project('s1', ...space(['anna']));
  await project('b1', budget('s1'), ...steps(4));
  const client = await stream(t, await switching.issue('anna'), switching);
  await client.told(at('b1', 5));
  const next = await createReadModel(switching.db);
  await next.project('s1', ...space(['anna']));
  // Behind the generation that answers, as no build is when it is switched to.
  await next.project('b1', budget('s1'), ...steps(3));
  await next.activate();
  await next.project('b2', budget('s1'));
  await client.told(at('b2', 1));
  await next.project('b1', ...steps(2));
  await client.told(at('b1', 6));
  await project('b1', ...steps(3));
  await next.project('b1', ...steps(4));
  await client.told(at('b1', 10));
  const positions = client
    .events()
    .flatMap(event => (event.budgetId === 'b1' ? event.position : []));
  t.deepEqual(positions, [5, 6, 10]);
});

test('a reader that stops ends its streams, and takes no new one', async t => {
  const stopping = await serve(served.mongo, 'http_events_stop');
  await stopping.model.project('s1', ...space(['anna']));
  await stopping.model.project('b1', budget('s1'));
  const token = await stopping.issue('anna');
  const client = await stream(t, token, stopping);
  await client.told(at('b1', 1));
  stopping.stopping.abort();
  await client.ended;
  t.is((await stopping.api('/events', { token })).status, 503);
  const startedAtMs = performance.now();
  await stopping.stop(DRAIN_MS);
  t.true(performance.now() - startedAtMs < DRAIN_MS, 'nothing is left to wait for');
  t.is(stopping.bounds.streams.taken(), 0);
});

test('a stream that nobody reads any more gives everything back', async t => {
  const lonely = await serve(served.mongo, 'http_events_lonely');
  t.teardown(() => lonely.stop());
  await lonely.model.project('s1', ...space(['anna']));
  const token = await lonely.issue('anna');
  const client = await stream(t, token, lonely);
  t.is(lonely.bounds.streams.taken(), 1);
  client.close();
  await eventually(t, async tried => {
    tried.is(lonely.bounds.streams.taken(), 0);
  });
  t.is((await stream(t, token, lonely)).status, 200);
});
