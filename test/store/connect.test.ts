// What is said of a database that does not answer.
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
