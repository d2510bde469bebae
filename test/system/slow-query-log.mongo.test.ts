// What an operator's own MongoDB writes about slow queries: docs/security.md states it, and how to switch it off.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import { startMongod } from '../../src/embedded/mongod.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { account, budget, payee, row, space } from '../model/scene.ts';
import { startScene } from '../pages/settings/settings-scene.ts';
import { createVisitor } from '../pages/settings/visitor.ts';

const SEARCH = 'quiet divorce lawyer';
const MEMO = 'Flowers for Wilhelmina';

test('the log of slow queries holds searches, ids, addresses and changed documents, but no secret', async t => {
  const folder = await temporaryFolder(t);
  const { path: binary } = await findMongod({ env: process.env, report: () => undefined });
  const mongod = await startMongod({ binary, folder });
  t.teardown(mongod.stop);
  const client = await new MongoClient(mongod.url).connect();
  t.teardown(() => client.close());
  const admin = client.db('admin');
  const scene = await startScene({
    url: mongod.url,
    client,
    database: () => client.db('budgeting'),
    newDatabase: () => client.db('budgeting_access'),
  });
  t.teardown(() => scene.stop());

  async function visit(search: string): Promise<string[]> {
    const { token } = await scene.tokens.issue({ owner: 'anna' }, new Date());
    const path = `/api/v1/transactions?budget_id=b1&search=${encodeURIComponent(search)}`;
    const answer = await fetch(scene.origin + path, {
      headers: { authorization: `Bearer ${token}` },
    });
    t.is(answer.status, 200);
    const link = await scene.signInLink('anna');
    const visitor = createVisitor(scene.origin);
    await visitor.signIn(link);
    t.is((await visitor.get('/settings/tokens')).status, 200);
    return [
      token,
      token.slice('service_pat_'.length),
      link.split('=')[1] ?? 'none',
      ...visitor.jar.values(),
    ];
  }

  // Every operation counts as slow.
  await admin.command({ profile: 0, slowms: -1, sampleRate: 1 });
  await scene.model.project('s1', ...space(['anna']));
  const rows = [row('t1', { memo: MEMO }), row('t2', { memo: SEARCH, payeeId: 'p1' })];
  await scene.model.project('b1', budget('s1'), account('home'), payee('p1', MEMO), ...rows);
  const secrets = await visit(SEARCH);
  const slow = async () => {
    const text = await readFile(join(folder, 'mongod.log'), 'utf8');
    return text.split('\n').filter(line => line.includes('"Slow query"'));
  };
  const lines = await slow();
  const text = lines.join('\n');
  for (const held of [SEARCH, MEMO, 'anna', 'b1', '127.0.0.1']) t.true(text.includes(held), held);
  for (const secret of secrets) t.false(text.includes(secret), secret);

  // As docs/security.md says.
  await admin.command({ profile: 0, slowms: 2 ** 31 - 1, sampleRate: 0 });
  const before = (await slow()).length;
  await visit('another');
  t.is((await slow()).length, before);
});
