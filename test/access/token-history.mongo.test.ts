// What is kept of the making and revoking of tokens.
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { HISTORY_DAYS, HISTORY_MAX } from '../../src/access/token-history.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const DAY_MS = 86_400_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const MAXIMA = { active: 2, perDay: 10 };

const mongo = useMongo(test);

async function setUp() {
  const db = mongo.database('token_history');
  await ensureAccessIndexes(db);
  return { db, events: db.collection('token_history'), tokens: createTokenStore(db) };
}

test('the history names what happened to the tokens of a user, when, and who did it', async t => {
  const { tokens } = await setUp();
  const own = await tokens.issueWithin(MAXIMA, { owner: 'anna', name: 'Sheet' }, NOW);
  if (typeof own === 'string') return t.fail(own);
  const given = await tokens.issue({ owner: 'anna' }, later(1));
  await tokens.issue({ owner: 'bert' }, later(2));
  await tokens.revoke(given.record.id, later(3), 'anna');
  await tokens.revoke(own.record.id, later(4));
  const [sheet, plain] = [own.record, given.record].map(({ id, name, last4 }) => {
    return { id, name, last4 };
  });
  t.deepEqual(await tokens.history('anna', later(5)), [
    { at: later(4), what: 'revoked', by: 'operator', token: sheet },
    { at: later(3), what: 'revoked', by: 'owner', token: plain },
    { at: later(1), what: 'made', by: 'operator', token: plain },
    { at: NOW, what: 'made', by: 'owner', token: sheet },
  ] as never);
  t.is((await tokens.history('bert', later(5))).length, 1);
  t.deepEqual(await tokens.history('nobody', later(5)), []);
});

test('what changes nothing is not in the history', async t => {
  const { tokens } = await setUp();
  const first = await tokens.issueWithin({ ...MAXIMA, active: 1 }, { owner: 'anna' }, NOW);
  if (typeof first === 'string') return t.fail(first);
  const refused = await tokens.issueWithin({ ...MAXIMA, active: 1 }, { owner: 'anna' }, NOW);
  t.is(refused, 'active');
  t.is(await tokens.revoke(first.record.id, NOW, 'bert'), null);
  const revoking = [1, 2, 3, 4].map(ms => tokens.revoke(first.record.id, later(ms), 'anna'));
  const before = 'revoked before';
  t.deepEqual((await Promise.all(revoking)).sort(), ['revoked', before, before, before]);
  const history = await tokens.history('anna', NOW);
  t.deepEqual(
    history.map(({ what }) => what),
    ['revoked', 'made'],
  );
  const [token] = await tokens.list('anna');
  t.deepEqual(history[0]?.at, token?.revokedAt);
});

test('the history holds no secret', async t => {
  const { db, events, tokens } = await setUp();
  const { token } = await tokens.issue({ owner: 'anna' }, NOW);
  const stored = JSON.stringify(await events.find().toArray());
  const hash = (await db.collection('tokens').findOne())?.hash;
  t.is(typeof hash, 'string');
  t.false(stored.includes(token.slice(12, 30)));
  t.false(stored.includes(hash));
});

test('a user has at most so many events, the newest, and each for so many days', async t => {
  const { events, tokens } = await setUp();
  const { record } = await tokens.issue({ owner: 'anna' }, NOW);
  const [first] = await events.find().toArray();
  t.deepEqual(first?.expiresAt, later(HISTORY_DAYS * DAY_MS));
  const copies = Array.from({ length: HISTORY_MAX + 10 }, (_, index) => {
    const { _id, ...event } = first ?? {};
    return { ...event, at: later(index - HISTORY_MAX - 10), tokenId: `t-${index}` };
  });
  await events.insertMany([...copies, { ...copies[0], owner: 'bert' }]);
  await tokens.revoke(record.id, later(1));
  t.is(await events.countDocuments({ owner: 'anna' }), HISTORY_MAX);
  t.is(await events.countDocuments({ owner: 'bert' }), 1);
  const history = await tokens.history('anna', later(2));
  t.is(history.length, HISTORY_MAX);
  t.is(history[0]?.what, 'revoked');
  t.is(history.at(-1)?.token.id, 't-12', 'the oldest have gone');
  t.deepEqual(await tokens.history('anna', later(HISTORY_DAYS * DAY_MS + 1)), []);
});

test('the history of a user is read by an index', async t => {
  const { events } = await setUp();
  const plan = await events
    .find({ owner: 'nobody' })
    .sort({ at: -1, _id: -1 })
    .explain('executionStats');
  t.is(plan.executionStats.totalDocsExamined, 0);
  t.regex(JSON.stringify(plan.queryPlanner.winningPlan), /owner_1_at_-1__id_-1/);
});
