// A wait of /changes whose token ends while the database is away gets no news (rules/api.md#waits-and-streams).
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoNetworkError } from 'mongodb';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { budget, FURNITURE, payee, space } from '../model/scene.ts';
import { useServed } from './use-served.ts';

/** Longer than a check of tokens is trusted. */
const CHECKED_MS = 10_500;

const served = useServed(test, { name: 'http_wait_ended' }, async () => {
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', budget('s1'), ...FURNITURE);
});

test('news that come after the token ended are not given, however the checks failed', async t => {
  const { token, record } = await served.tokens.issue({ owner: 'anna' }, new Date());
  const { cursor } = (await served.api('/changes?budget_id=b1', { token })).body;
  const waiting = served.api(`/changes?budget_id=b1&cursor=${cursor}&wait=60`, { token });
  const { waits } = served.bounds;
  await eventually(t, async tried => {
    tried.is(waits.taken(), 1);
  });
  // As while the database is away, and its tokens come back after the news.
  const { unrevoked } = served.tokens;
  served.tokens.unrevoked = () => Promise.reject(new MongoNetworkError('away'));
  await served.tokens.revoke(record.id, new Date());
  await sleep(CHECKED_MS);
  await served.model.project('b1', payee('news'));
  await sleep(1000);
  t.is(waits.taken(), 1);
  served.tokens.unrevoked = unrevoked;
  t.is((await waiting).status, 401);
});
