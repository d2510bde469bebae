import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { AGE_HOURS_MAX, createSessionStore, IDLE_MINUTES_MAX } from '../../src/access/sessions.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const MINUTE_MS = 60_000;
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

const mongo = useMongo(test);

function setUp() {
  const db = mongo.database('sessions');
  return { db, sessions: createSessionStore(db), other: createSessionStore(db) };
}

test('every process finds a session by its id until the session ends', async t => {
  const { sessions, other } = setUp();
  const id = await sessions.begin('anna', NOW);
  t.deepEqual(await other.find(id, NOW), { user: 'anna' });
  await sessions.end(id);
  t.is(await other.find(id, NOW), null);
  await t.notThrowsAsync(sessions.end(id));
});

test('a session is found also where its use cannot be noted', async t => {
  const { db, sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  await db.command({
    collMod: 'sessions',
    validator: { usedAt: NOW },
    validationAction: 'error',
  });
  t.deepEqual(await sessions.find(id, later(5)), { user: 'anna' });
  await db.command({ collMod: 'sessions', validator: {} });
});

test('session ids are random, have 256 bits, and are not stored', async t => {
  const { db, sessions } = setUp();
  const ids = await Promise.all(Array.from({ length: 20 }, () => sessions.begin('anna', NOW)));
  t.is(new Set(ids).size, 20);
  for (const id of ids) t.regex(id, /^[A-Za-z0-9_-]{43}$/);
  const stored = JSON.stringify(await db.collection('sessions').find().toArray());
  for (const id of ids) t.false(stored.includes(id));
});

test('an invalid id finds no session, not even the stored hash of a valid one', async t => {
  const { db, sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  const hash = String((await db.collection('sessions').findOne())?._id);
  for (const bad of [
    '',
    'x',
    hash,
    hash.slice(0, 43),
    id.slice(1),
    `${id}x`,
    `${id}\n`,
    'A'.repeat(43),
  ]) {
    t.is(await sessions.find(bad, NOW), null, bad);
    await sessions.end(bad);
  }
  t.not(await sessions.find(id, NOW), null);
});

test('a session ends after the idle limit', async t => {
  const { sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  t.not(await sessions.find(id, later(IDLE_MINUTES_MAX - 1)), null);
  t.not(await sessions.find(id, later(2 * IDLE_MINUTES_MAX - 2)), null, 'used meanwhile');
  t.is(await sessions.find(id, later(3 * IDLE_MINUTES_MAX - 2)), null);
  t.is(await sessions.find(id, later(3 * IDLE_MINUTES_MAX - 2)), null, 'a read does not revive it');
});

test('a session ends at its maximum age, however much it is used', async t => {
  const { sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  const end = AGE_HOURS_MAX * 60;
  for (let minutes = 0; minutes < end; minutes += 30)
    t.not(await sessions.find(id, later(minutes)), null);
  t.is(await sessions.find(id, later(end)), null);
});

test('a session records its last use at most once a minute, and never moves it back', async t => {
  const { db, sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  const usedAt = async () => (await db.collection('sessions').findOne())?.usedAt;
  await sessions.find(id, later(0.9));
  t.deepEqual(await usedAt(), NOW);
  await sessions.find(id, later(5));
  t.deepEqual(await usedAt(), later(5));
  await sessions.find(id, later(2));
  t.deepEqual(await usedAt(), later(5));
});

test('a form counts once, even if several processes receive it at the same time', async t => {
  const { sessions, other } = setUp();
  const id = await sessions.begin('anna', NOW);
  const stores = [sessions, other, sessions, other];
  const results = await Promise.all(stores.map(store => store.useForm(id, 'form-1', NOW)));
  t.is(results.filter(first => first).length, 1);
  t.true(await other.useForm(id, 'form-2', NOW));
  const second = await sessions.begin('anna', NOW);
  t.true(await sessions.useForm(second, 'form-1', NOW), 'another session has its own forms');
});

test('an ended session accepts no form', async t => {
  const { sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  t.false(await sessions.useForm(id, 'form-1', later(IDLE_MINUTES_MAX)));
  await sessions.end(id);
  t.false(await sessions.useForm(id, 'form-1', NOW));
});

test('all sessions of a user end at once for every process, and those of others stay', async t => {
  const { db, sessions, other } = setUp();
  const own = await Promise.all([1, 2, 3].map(() => sessions.begin('anna', NOW)));
  const bert = await sessions.begin('bert', NOW);
  // A request of one of them moves its end at the same time: it must not bring the session back.
  const uses = own.map(id => other.find(id, later(5)));
  await Promise.all([sessions.endAll('anna'), ...uses]);
  for (const id of own) {
    t.is(await other.find(id, NOW), null);
    t.false(await other.useForm(id, 'form-1', NOW));
  }
  t.is((await other.find(bert, NOW))?.user, 'bert');
  t.is(await db.collection('sessions').countDocuments(), 1);
  await sessions.endAll('anna');
});

test('the database removes expired sessions, links, attempts and events', async t => {
  const { db } = setUp();
  await ensureAccessIndexes(db);
  for (const name of ['sessions', 'sign_in_links', 'sign_in_attempts', 'token_history']) {
    const indexes = await db.collection(name).indexes();
    const expiring = indexes.find(({ expireAfterSeconds }) => expireAfterSeconds === 0);
    t.deepEqual(expiring?.key, { expiresAt: 1 }, name);
  }
});
