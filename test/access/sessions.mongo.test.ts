import test from 'ava';
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { AGE_HOURS_MAX, createSessionStore, IDLE_MINUTES_MAX } from '../../src/access/sessions.ts';
import { useMongo } from '../helpers/mongo.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const MINUTE_MS = 60_000;
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);

const mongo = useMongo(test);

function setUp() {
  const db = mongo.database('sessions');
  return { db, sessions: createSessionStore(db), other: createSessionStore(db) };
}

test('a session is found by its id, in every process, until it is ended', async t => {
  const { sessions, other } = setUp();
  const id = await sessions.begin('anna', NOW);
  t.deepEqual(await other.find(id, NOW), { user: 'anna' });
  await sessions.end(id);
  t.is(await other.find(id, NOW), null);
  await t.notThrowsAsync(sessions.end(id));
});

test('ids are random, of 256 bits, and nobody stores them', async t => {
  const { db, sessions } = setUp();
  const ids = await Promise.all(Array.from({ length: 20 }, () => sessions.begin('anna', NOW)));
  t.is(new Set(ids).size, 20);
  for (const id of ids) t.regex(id, /^[A-Za-z0-9_-]{43}$/);
  const stored = JSON.stringify(await db.collection('sessions').find().toArray());
  for (const id of ids) t.false(stored.includes(id));
});

test('what is no id is nobody, also a hash that is stored', async t => {
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

test('it ends when it is idle', async t => {
  const { sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  t.not(await sessions.find(id, later(IDLE_MINUTES_MAX - 1)), null);
  t.not(await sessions.find(id, later(2 * IDLE_MINUTES_MAX - 2)), null, 'used in between');
  t.is(await sessions.find(id, later(3 * IDLE_MINUTES_MAX - 2)), null);
  t.is(await sessions.find(id, later(3 * IDLE_MINUTES_MAX - 2)), null, 'asking does not revive it');
});

test('it ends at its age, however much it is used', async t => {
  const { sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  const end = AGE_HOURS_MAX * 60;
  for (let minutes = 0; minutes < end; minutes += 30)
    t.not(await sessions.find(id, later(minutes)), null);
  t.is(await sessions.find(id, later(end)), null);
});

test('use is noted at most once a minute, and only ever later', async t => {
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

test('a form is used once, also at once from several processes', async t => {
  const { sessions, other } = setUp();
  const id = await sessions.begin('anna', NOW);
  const stores = [sessions, other, sessions, other];
  const results = await Promise.all(stores.map(store => store.useForm(id, 'form-1', NOW)));
  t.is(results.filter(first => first).length, 1);
  t.true(await other.useForm(id, 'form-2', NOW));
  const second = await sessions.begin('anna', NOW);
  t.true(await sessions.useForm(second, 'form-1', NOW), 'a session of its own');
});

test('an ended session uses no form', async t => {
  const { sessions } = setUp();
  const id = await sessions.begin('anna', NOW);
  t.false(await sessions.useForm(id, 'form-1', later(IDLE_MINUTES_MAX)));
  await sessions.end(id);
  t.false(await sessions.useForm(id, 'form-1', NOW));
});

test('the database removes sessions, links and attempts that are over', async t => {
  const { db } = setUp();
  await ensureAccessIndexes(db);
  for (const name of ['sessions', 'sign_in_links', 'sign_in_attempts']) {
    const indexes = await db.collection(name).indexes();
    const expiring = indexes.find(({ expireAfterSeconds }) => expireAfterSeconds === 0);
    t.deepEqual(expiring?.key, { expiresAt: 1 }, name);
  }
});
