// What is said of a database that does not answer.
import { UserError } from '../../src/process/errors.ts';
import { connectStore, StoreAwayError } from '../../src/store/connect.ts';
import { test } from '../helpers/file-test.ts';

/** Nobody listens there. */
const NOWHERE = '127.0.0.1:1';

test('the line names the place, and no secret of its address', async t => {
  const options = [
    'authMechanismProperties=SERVICE_NAME:hushA',
    'tlsCertificateKeyFilePassword=hushB',
    'proxyHost=127.0.0.1&proxyPassword=hush@C&proxyUsername=u',
  ];
  for (const option of options) {
    const url = `mongodb://user:hush%40D@${NOWHERE}/?tls=false&${option}`;
    const error = await t.throwsAsync(connectStore(url, 200), { instanceOf: StoreAwayError });
    t.true(error?.message.startsWith(`No MongoDB answers at mongodb://${NOWHERE}/: `));
    t.notRegex(error?.message ?? '', /hush/);
  }
});

test('an address that takes the guarantees of reads or writes away is refused', async t => {
  for (const mode of ['primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']) {
    const url = `mongodb://${NOWHERE}/?replicaSet=rs0&readPreference=${mode}`;
    const error = await t.throwsAsync(connectStore(url, 200), { instanceOf: UserError });
    t.is(error?.exitCode, 2);
    t.is(
      error?.message,
      `Expected MONGODB_URL to have readPreference=primary or none, got ${mode}`,
    );
  }
  for (const [option, expected] of [
    ['readConcernLevel=available', 'readConcernLevel=local, majority or none, got available'],
    ['readConcernLevel=linearizable', 'readConcernLevel=local, majority or none, got linearizable'],
    ['w=0', 'w=majority or none, got 0'],
  ]) {
    const error = await t.throwsAsync(connectStore(`mongodb://${NOWHERE}/?${option}`, 200));
    t.is(error?.message, `Expected MONGODB_URL to have ${expected}`);
  }
  for (const option of ['readConcernLevel=majority', 'w=1', 'w=majority']) {
    const url = `mongodb://${NOWHERE}/?${option}`;
    await t.throwsAsync(connectStore(url, 200), { instanceOf: StoreAwayError });
  }
  const url = `mongodb://${NOWHERE}/?readPreference=primary`;
  await t.throwsAsync(connectStore(url, 200), { instanceOf: StoreAwayError });
});
