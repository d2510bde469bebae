import { createHash } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { type StoredToken, tokenState } from '../../src/access/token.ts';
import { isTokenValue } from '../../src/access/token-value.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const DAY_MS = 86_400_000;

const mongo = useMongo(test);

async function setUp() {
  const db = mongo.database('tokens');
  await ensureAccessIndexes(db);
  return { db, tokens: createTokenStore(db) };
}

/** Returns the store of a second process: its own client, which records its commands. */
async function secondClient(t: ExecutionContext, databaseName: string) {
  const client = await new MongoClient(mongo.url, { monitorCommands: true }).connect();
  t.teardown(() => client.close());
  const commands: CommandStartedEvent[] = [];
  client.on('commandStarted', command => commands.push(command));
  return { tokens: createTokenStore(client.db(databaseName)), commands };
}

test('an issued token is found by its value, with everything that was requested', async t => {
  const { tokens } = await setUp();
  const { token, record } = await tokens.issue(
    {
      owner: 'u1',
      name: 'Sheet',
      scopes: ['accounts:read'],
      budgets: ['b1', 'b2'],
      expiresInDays: 7,
    },
    NOW,
  );
  t.true(isTokenValue(token));
  t.deepEqual(await tokens.find(token), record);
  t.deepEqual(record, {
    id: record.id,
    last4: token.slice(-4),
    name: 'Sheet',
    owner: 'u1',
    scopes: ['accounts:read'],
    budgets: ['b1', 'b2'],
    createdAt: NOW,
    expiresAt: later(7 * DAY_MS),
    lastUsedAt: null,
    revokedAt: null,
  });
});

test('the database holds the SHA-256 of a token, and its value nowhere', async t => {
  const { db, tokens } = await setUp();
  const { token } = await tokens.issue({ owner: 'u1' }, NOW);
  const stored = await db.collection('tokens').findOne({});
  t.is(stored?.hash, createHash('sha256').update(token).digest('hex'));
  t.false(JSON.stringify(stored).includes(token.slice(12, 30)));
});

test('a token lives 365 days by default and at most', async t => {
  const { tokens } = await setUp();
  const { record } = await tokens.issue({ owner: 'u1' }, NOW);
  t.deepEqual(record.expiresAt, later(365 * DAY_MS));
  await t.throwsAsync(tokens.issue({ owner: 'u1', expiresInDays: 366 }, NOW), {
    message: 'Expected a lifetime of 0 to 365 whole days, got 366',
  });
  t.is((await tokens.list()).length, 1);
});

test('a token is expired from the instant of its expiry, and revoked takes precedence', async t => {
  const { tokens } = await setUp();
  const { record } = await tokens.issue({ owner: 'u1', expiresInDays: 1 }, NOW);
  t.is(tokenState(record, later(DAY_MS - 1)), 'active');
  t.is(tokenState(record, later(DAY_MS)), 'expired');
  t.is(tokenState({ ...record, revokedAt: NOW }, NOW), 'revoked');
  t.is(tokenState({ ...record, revokedAt: NOW }, later(DAY_MS)), 'revoked');
  const ended = await tokens.issue({ owner: 'u1', expiresInDays: 0 }, NOW);
  t.is(tokenState(ended.record, NOW), 'expired');
});

test('another client sees a revoked token at its next query', async t => {
  const { db, tokens } = await setUp();
  const other = await secondClient(t, db.databaseName);
  for (let round = 0; round < 20; round += 1) {
    const { token, record } = await tokens.issue({ owner: 'u1' }, NOW);
    t.is((await other.tokens.find(token))?.revokedAt, null);
    t.is(await tokens.revoke(record.id, later(1)), 'revoked');
    t.deepEqual((await other.tokens.find(token))?.revokedAt, later(1));
  }
});

test('issue and revoke are majority writes', async t => {
  const { db } = await setUp();
  const other = await secondClient(t, db.databaseName);
  const { record } = await other.tokens.issue({ owner: 'u1' }, NOW);
  await other.tokens.revoke(record.id, NOW);
  const commits = other.commands.filter(({ commandName }) => commandName === 'commitTransaction');
  t.deepEqual(
    commits.map(({ command }) => command.writeConcern?.w),
    ['majority', 'majority'],
  );
  // The name of its session is written beside each transaction.
  const writes = other.commands.filter(
    ({ commandName, command }) =>
      /insert|update/.test(commandName) && command.update !== 'open_sessions',
  );
  t.true(writes.length >= 4);
  t.true(writes.every(({ command }) => command.autocommit === false));
  // A name that waited for a majority too would add to the wait of the commit.
  const names = other.commands.filter(({ command }) => command.update === 'open_sessions');
  t.true(names.length >= 2);
  t.true(names.every(({ command }) => command.writeConcern?.w === 1));
});

test('a second revoke keeps the first time and says so; an unknown id, or another owner’s, is null', async t => {
  const { tokens } = await setUp();
  const { token, record } = await tokens.issue({ owner: 'u1' }, NOW);
  t.is(await tokens.revoke('nobody', NOW), null);
  t.is(await tokens.revoke(record.id, NOW, 'u2'), null);
  t.is((await tokens.find(token))?.revokedAt, null);
  t.is(await tokens.revoke(record.id, NOW, 'u1'), 'revoked');
  t.is(await tokens.revoke(record.id, later(5)), 'revoked before');
  t.deepEqual((await tokens.find(token))?.revokedAt, NOW);
});

test('a wrong checksum needs no query, and an unknown token one query of an index', async t => {
  const { db, tokens } = await setUp();
  const { token } = await tokens.issue({ owner: 'u1' }, NOW);
  const other = await secondClient(t, db.databaseName);
  other.commands.length = 0;
  const last = token.endsWith('a') ? 'b' : 'a';
  t.is(await other.tokens.find(token.slice(0, -1) + last), null);
  t.is(await other.tokens.find('x'), null);
  t.deepEqual(other.commands, []);
  const unknown = await (await setUp()).tokens.issue({ owner: 'u1' }, NOW);
  t.is(await other.tokens.find(unknown.token), null);
  t.deepEqual(
    other.commands.map(({ commandName }) => commandName),
    ['find'],
  );
  const plan = await db.collection('tokens').find({ hash: 'x' }).explain('executionStats');
  t.is(plan.executionStats.totalKeysExamined, 0);
  t.is(plan.executionStats.totalDocsExamined, 0);
});

test('tokens are listed oldest first, for one owner or for all', async t => {
  const { tokens } = await setUp();
  const second = await tokens.issue({ owner: 'u1', name: 'second' }, later(1));
  const first = await tokens.issue({ owner: 'u1', name: 'first' }, NOW);
  const foreign = await tokens.issue({ owner: 'u2' }, later(2));
  t.deepEqual(await tokens.list('u1'), [first.record, second.record]);
  t.deepEqual(await tokens.list(), [first.record, second.record, foreign.record]);
  t.deepEqual(await tokens.list('u3'), []);
});

test('of very many tokens the newest are read, and the first of their budgets', async t => {
  const { db, tokens } = await setUp();
  const budgets = Array.from({ length: 1000 }, (_, index) => `b-${index}`);
  for (let count = 0; count < 101; count += 1) await tokens.issue({ owner: 'u1' }, later(count));
  const { record } = await tokens.issue({ owner: 'u1', budgets }, later(200));
  const stored = await db.collection<StoredToken>('tokens').find({ owner: 'u1' }).toArray();
  const ended = stored.slice(0, 51).flatMap(token => {
    const copy = (id: string) => ({ ...token, _id: id, hash: id });
    const [revoked, expired] = [copy(`r-${token._id}`), copy(`e-${token._id}`)];
    return [
      { ...revoked, revokedAt: NOW },
      { ...expired, expiresAt: NOW },
    ];
  });
  await db.collection<StoredToken>('tokens').insertMany(ended);
  await tokens.issue({ owner: 'u2' }, later(300));
  const own = await tokens.own('u1', NOW);
  t.is(own.active.tokens.length, 100);
  t.true(own.active.isCut && own.ended.isCut);
  const { budgets: _, ...fields } = record;
  const first = budgets.slice(0, 20);
  t.deepEqual(own.active.tokens[0], { ...fields, budgets: { first, count: 1000 } });
  t.is(own.active.tokens[1]?.budgets, null);
  t.is(own.ended.tokens.length, 50);
  t.true(own.ended.tokens.every(token => tokenState(token, NOW) !== 'active'));
  t.deepEqual(await tokens.own('u3', NOW), {
    active: { tokens: [], isCut: false },
    ended: { tokens: [], isCut: false },
  });
});

test('one token is found by its id for its owner alone', async t => {
  const { tokens } = await setUp();
  const { record } = await tokens.issue({ owner: 'u1' }, NOW);
  t.deepEqual(await tokens.findOwn('u1', record.id), record);
  t.is(await tokens.findOwn('u2', record.id), null);
  t.is(await tokens.findOwn('u1', 'nothing'), null);
});

test('what a settings page reads has a time limit, and takes few commands', async t => {
  const { db, tokens } = await setUp();
  for (let count = 0; count < 110; count += 1) await tokens.issue({ owner: 'u1' }, NOW);
  const { tokens: other, commands } = await secondClient(t, db.databaseName);
  const [first] = await tokens.list('u1');
  commands.length = 0;
  t.is((await other.own('u1', NOW)).active.tokens.length, 100);
  await other.reached('u1', { active: 1000, perDay: 1000 }, NOW);
  await other.findOwn('u1', first?.id ?? '');
  await other.history('u1', NOW);
  t.is((await other.unrevoked((await tokens.list('u1')).map(({ id }) => id))).size, 110);
  t.deepEqual(
    commands.map(({ commandName, command }) => [commandName, command.maxTimeMS]),
    [...Array(4).fill('aggregate'), 'find', 'find', 'find'].map(name => [name, 2000]),
  );
});

test('last use is written at most once a minute', async t => {
  const { db, tokens } = await setUp();
  const { token, record } = await tokens.issue({ owner: 'u1' }, NOW);
  const other = await secondClient(t, db.databaseName);
  const lastUsed = async () => (await tokens.find(token))?.lastUsedAt;
  await other.tokens.touch(record, later(1));
  t.deepEqual(await lastUsed(), later(1));
  // A request that has read the token earlier: it tries to write, and the filter of the update does not match.
  await other.tokens.touch(record, later(60_000));
  t.deepEqual(await lastUsed(), later(1));
  const used = (await tokens.find(token)) ?? record;
  other.commands.length = 0;
  await other.tokens.touch(used, later(60_000));
  t.deepEqual(other.commands, [], 'no query within the minute');
  await other.tokens.touch(used, later(60_001));
  t.deepEqual(await lastUsed(), later(60_001));
});
