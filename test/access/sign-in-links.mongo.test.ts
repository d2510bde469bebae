import {
  ATTEMPT_MINUTES,
  attemptChecks,
  createSignInAttempts,
  createSignInLinks,
} from '../../src/access/one-time-secrets.ts';
import { LINK_MINUTES, signInAddress } from '../../src/access/sign-in-links.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

const mongo = useMongo(test);

test('a link works once, and reading its user does not use it up', async t => {
  const links = createSignInLinks(mongo.database('links'));
  const secret = await links.create('anna', NOW);
  t.is(await links.find(secret, NOW), 'anna');
  t.is(await links.find(secret, NOW), 'anna');
  const results = await Promise.all([1, 2, 3].map(() => links.use(secret, NOW)));
  t.deepEqual(
    results.filter(user => user !== null),
    ['anna'],
  );
  t.is(await links.find(secret, NOW), null);
});

test('a link works for 15 minutes', async t => {
  t.is(LINK_MINUTES, 15);
  const links = createSignInLinks(mongo.database('links'));
  const secret = await links.create('anna', NOW);
  t.is(await links.find(secret, later(14.9)), 'anna');
  t.is(await links.find(secret, later(15)), null);
  t.is(await links.use(secret, later(15)), null);
  t.is(await links.use(secret, later(14.9)), 'anna');
});

test('the secret of a link is random, long, and not stored', async t => {
  const db = mongo.database('links');
  const links = createSignInLinks(db);
  const secret = await links.create('anna', NOW);
  t.not(await links.create('anna', NOW), secret);
  t.regex(secret, /^[A-Za-z0-9_-]{43}$/);
  const stored = await db.collection('sign_in_links').find().toArray();
  t.false(JSON.stringify(stored).includes(secret));
  for (const bad of ['', secret.slice(1), `${secret}A`, String(stored[0]?._id), 'A'.repeat(43)]) {
    t.is(await links.use(bad, NOW), null);
  }
  t.is(
    signInAddress('http://127.0.0.1:3000', secret),
    `http://127.0.0.1:3000/settings/sign-in?link=${secret}`,
  );
});

test('an attempt ends once, and only within its time', async t => {
  const attempts = createSignInAttempts(mongo.database('attempts'));
  const [first, second] = [await attempts.begin(NOW), await attempts.begin(NOW)];
  t.true(await attempts.end(first, NOW));
  t.false(await attempts.end(first, NOW));
  t.false(await attempts.end(second, later(ATTEMPT_MINUTES)));
  t.false(await attempts.end('A'.repeat(43), NOW));
});

test('the secret of a link ends no attempt', async t => {
  const db = mongo.database('attempts');
  const secret = await createSignInLinks(db).create('anna', NOW);
  t.false(await createSignInAttempts(db).end(secret, NOW));
});

test('the checks of an attempt follow from its secret, and each differs from the others', t => {
  const parts = Object.values(attemptChecks('a'.repeat(43)));
  t.deepEqual(Object.values(attemptChecks('a'.repeat(43))), parts);
  const all = [...parts, ...Object.values(attemptChecks('b'.repeat(43)))];
  t.is(new Set(all).size, 6);
  for (const part of all) t.regex(part, /^[A-Za-z0-9_-]{43}$/);
});
