// An address with the name of another replica set than that of the server that answers there.
import { connectStore, StoreAwayError } from '../../src/store/connect.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';

const mongo = useMongo(test);

test('the name of another replica set is what the line blames', async t => {
  const url = new URL(mongo.url);
  url.searchParams.set('replicaSet', 'another');
  const error = await t.throwsAsync(connectStore(String(url), 500), { instanceOf: StoreAwayError });
  t.true(error.message.startsWith(`No MongoDB answers at mongodb://${url.host}/`));
  t.true(
    error.message.endsWith(': what answers there is of another replica set than replicaSet says'),
  );
});
