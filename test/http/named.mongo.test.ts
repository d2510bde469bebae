// GET /payees and GET /labels
import { test } from '../helpers/file-test.ts';
import { budget, label, payee, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;

const NAMES = [
  { id: 'n1', name: 'b' },
  { id: 'n2', name: '\u{1F600}' },
  { id: 'n3', name: '\uFF41' },
  { id: 'n5', name: 'A' },
  { id: 'n4', name: 'a' },
  { id: 'N4', name: 'a' },
  { id: 'n6', name: 'e\u0301' },
];

const served = useServed(test, { name: 'http_named' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  const named = NAMES.flatMap(({ id, name }) => [payee(id, name), label(id, name)]);
  await project('b1', budget('s1'), ...named);
  await project('b2', budget('s1'), payee('other'), label('other'));
});

for (const kind of ['payees', 'labels'] as const) {
  test(`GET /${kind}: name key, then id, by code point; names as entered`, async t => {
    const { status, body } = await served.api(`/${kind}?budget_id=b1`, { token });
    t.is(status, 200);
    t.is(holdsTo(kind, body), null);
    t.deepEqual(Object.keys(body), [kind, 'pagination']);
    t.deepEqual(
      body[kind].map(({ id }: { id: string }) => id),
      ['N4', 'n4', 'n5', 'n1', 'n6', 'n3', 'n2'],
    );
    t.deepEqual(body[kind][4], { id: 'n6', name: 'e\u0301' });
  });

  test(`GET /${kind}: limit, offset and has_more`, async t => {
    const page = await served.api(`/${kind}?budget_id=b1&limit=3&offset=2`, { token });
    t.deepEqual(
      page.body[kind].map(({ id }: { id: string }) => id),
      ['n5', 'n1', 'n6'],
    );
    t.deepEqual(page.body.pagination, { limit: 3, offset: 2, has_more: true });
    const last = await served.api(`/${kind}?budget_id=b1&offset=2147483647`, { token });
    t.deepEqual(last.body[kind], []);
    t.false(last.body.pagination.has_more);
  });

  test(`GET /${kind}: name keeps those with the same name key`, async t => {
    const named = async (name: string, more = '') => {
      const query = `name=${encodeURIComponent(name)}${more}`;
      const { status, body } = await served.api(`/${kind}?budget_id=b1&${query}`, { token });
      t.is(status, 200);
      return body[kind].map(({ id }: { id: string }) => id);
    };
    t.deepEqual(await named('A'), ['N4', 'n4', 'n5']);
    t.deepEqual(await named('a', '&limit=1&offset=1'), ['n4']);
    t.deepEqual(await named('\u00c9'), ['n6']);
    t.deepEqual(await named('\u{1F600}'), ['n2']);
    for (const other of ['e', 'ab', ' a', 'a ', '.', 'other']) t.deepEqual(await named(other), []);
  });

  test(`GET /${kind}: name is 1 to 200 code points`, async t => {
    const status = async (name: string) =>
      (await served.api(`/${kind}?budget_id=b1&name=${encodeURIComponent(name)}`, { token }))
        .status;
    t.is(await status('\u{1F600}'.repeat(200)), 200);
    t.is(await status('\u{1F600}'.repeat(201)), 400);
    t.is(await status(''), 400);
    t.is(await status(' '), 200);
  });
}
