import { UserError } from '../../src/process/errors.ts';
import { connectStore, databaseNames } from '../../src/store/connect.ts';
import { test } from '../helpers/file-test.ts';

const of = (path: string) => {
  const names = databaseNames(`mongodb://db-1:27017,db-2:27017${path}`);
  return [names.readModel, names.of('budgeting_access')];
};

for (const path of ['', '/', '/budgeting']) {
  test(`the path ${JSON.stringify(path)} leaves the names as they are`, t => {
    t.deepEqual(of(path), ['budgeting', 'budgeting_access']);
  });
}

test('another name goes before both', t => {
  t.deepEqual(of('/home'), ['home_budgeting', 'home_budgeting_access']);
  const longest = 'a'.repeat(46);
  const names = of(`/${longest}`);
  t.deepEqual(names, [`${longest}_budgeting`, `${longest}_budgeting_access`]);
  t.is(names[1]?.length, 63, 'as long as MongoDB allows');
});

for (const name of ['a'.repeat(47), 'my home', 'my.home', 'my%20home', 'heim/1', 'größe', '$x']) {
  test(`refused: ${name}`, t => {
    const error = t.throws(() => of(`/${name}`), { instanceOf: UserError });
    t.is(
      error?.message,
      `Expected the path of MONGODB_URL to be a database name of at most 46 of A–Z a–z 0–9 _ -, or none, got "${name}"`,
    );
    t.is(error?.exitCode, 2);
  });
}

for (const name of ['admin', 'Admin', 'local', 'config']) {
  test(`refused, with the way to sign in: ${name}`, t => {
    const error = t.throws(() => of(`/${name}`), { instanceOf: UserError });
    t.is(
      error?.message,
      `Expected the path of MONGODB_URL to be another database name than admin, config and local, got "${name}": to sign in by ${name}, leave it out and add authSource=${name}`,
    );
  });
}

test('a refusal shows neither user nor password nor options', async t => {
  const url = 'mongodb://user:hush%2FA@127.0.0.1:1/not.this?replicaSet=hushB';
  const error = await t.throwsAsync(connectStore(url, 200), { instanceOf: UserError });
  t.regex(error?.message ?? '', /, got "not\.this"$/);
});
