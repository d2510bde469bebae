// A token that the form said was not made: either it is not stored, or it is revoked.
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { inTransaction } from '../../src/access/transaction.ts';
import { DatabaseTimeoutError } from '../../src/store/database-errors.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useFailingMongo } from '../projector/failing-mongo.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');
const MAXIMA = { active: 2, perDay: 10 };
const TIMEOUT_MS = 10_000;
/** Two inserts, of the token and its history, leave too little time for the commit. */
const COMMAND_MS = 4000;

const mongo = useFailingMongo(test);

/** Resolves when the server has ended a transaction: with the command that did. */
function transactionEnd(): Promise<string> {
  return new Promise(resolve => {
    mongo.harmed.on('commandSucceeded', ({ commandName }) => {
      if (/^(abort|commit)Transaction$/.test(commandName)) resolve(commandName);
    });
  });
}

test.serial('work that outlasts the deadline is not committed', async t => {
  const db = mongo.harmed.db('late_work');
  await db.createCollection('notes');
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const late = inTransaction(db, 500, async session => {
    await db.collection('notes').insertOne({}, { session });
    await released;
  });
  await t.throwsAsync(late, { instanceOf: DatabaseTimeoutError });
  const ended = transactionEnd();
  release();
  t.is(await ended, 'abortTransaction');
  t.is(await db.collection('notes').countDocuments(), 0);
});

test.serial('a token whose commit comes after the deadline is revoked', async t => {
  const db = mongo.harmed.db('late_commit');
  await ensureAccessIndexes(db);
  for (const name of ['tokens', 'token_owners', 'token_history']) {
    await db.createCollection(name).catch(() => {});
  }
  const tokens = createTokenStore(db, TIMEOUT_MS);
  const failCommands = ['insert', 'commitTransaction'];
  await mongo.fail(3, failCommands, { blockConnection: true, blockTimeMS: COMMAND_MS });
  const ended = transactionEnd();
  const issuing = tokens.issueWithin(MAXIMA, { owner: 'anna' }, NOW);
  await t.throwsAsync(issuing, { instanceOf: DatabaseTimeoutError });
  // On a slow machine this look may come after the commit, and then shows nothing.
  const listed = await tokens.list('anna');
  if (listed.length > 0) t.log('the commit came before the look at it');
  await ended;
  await eventually(t, async tried => {
    for (const { revokedAt } of await tokens.list('anna')) tried.deepEqual(revokedAt, NOW);
    const made = (await tokens.history('anna', NOW)).map(({ what }) => what).sort();
    tried.deepEqual(made, made.length === 0 ? [] : ['made', 'revoked']);
  });
});
