// The header Link with rel="next": on each full page of a list with pages, and on /changes while more is there.
import { test } from '../helpers/file-test.ts';
import { account, budget, category, group, label, payee, row, space } from '../model/scene.ts';
import { followLinks } from './follow-links.ts';
import type { Answered } from './serve.ts';
import { useServed } from './use-served.ts';

let token: string;

const NUMBERS = [1, 2, 3, 4, 5];

const served = useServed(test, { name: 'http_links' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project(
    'b1',
    budget('s1'),
    account('a1'),
    ...NUMBERS.flatMap(id => [group(`g${id}`), category(`c${id}`, `g${id}`, { name: 'Same' })]),
    ...NUMBERS.flatMap(id => [payee(`p${id}`, 'Same'), label(`l${id}`, 'Same')]),
    ...NUMBERS.map(id => row(`t${id}`, { accountId: 'a1', payeeId: 'p1' })),
  );
});

const follow = (path: string) => followLinks(served, `/api/v1${path}`, { token });

for (const [path, key, filters] of [
  ['/transactions', 'transactions', 'payee_id=p1&max_amount=0.00&search=s'],
  ['/categories', 'categoryGroups', 'name=Same&include_hidden=true'],
  ['/payees', 'payees', 'name=SAME'],
  ['/labels', 'labels', 'name=same'],
] as const) {
  test(`${path}: from page to page, with all filters`, async t => {
    const pages = await follow(`${path}?budget_id=b1&limit=2&${filters}`);
    t.deepEqual(
      pages.map(({ body }) => [body[key].length, body.pagination.offset]),
      [
        [2, 0],
        [2, 2],
        [1, 4],
      ],
    );
    t.is(
      new Set(pages.flatMap(({ body }) => body[key].map(({ id }: { id: string }) => id))).size,
      5,
    );
    const full = await follow(`${path}?budget_id=b1&limit=5&${filters}`);
    t.deepEqual(
      full.map(({ body }) => body[key].length),
      [5, 0],
    );
  });

  test(`${path}: HEAD has the link, 304 has none`, async t => {
    const question = `/api/v1${path}?budget_id=b1&limit=2`;
    const { headers } = await served.ask(question, { token, method: 'HEAD' });
    t.is(headers.get('link'), `<${question}&offset=2>; rel="next"`);
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const same = await served.ask(question, { token, headers: known });
    t.is(same.status, 304);
    t.is(same.headers.get('link'), null);
  });
}

test('/changes: exactly while has_more, with the cursor of the answer', async t => {
  const pages = await follow('/changes?budget_id=b1&limit=7');
  t.true(pages.length > 2);
  for (const [index, { body, headers }] of pages.entries()) {
    t.is(body.has_more, index < pages.length - 1);
    const cursor = encodeURIComponent(body.cursor);
    const expected = `</api/v1/changes?budget_id=b1&limit=7&cursor=${cursor}>; rel="next"`;
    t.is(headers.get('link'), body.has_more ? expected : null);
  }
  const whole = await follow('/changes?budget_id=b1');
  t.is(whole.length, 1);
  const ids = (page: Answered) => page.body.transactions.map(({ id }: { id: string }) => id);
  t.deepEqual(pages.flatMap(ids), whole.flatMap(ids));
});

test('no link on lists without pages, on single things and on refusals', async t => {
  for (const path of [
    ...['/budgets', '/accounts?budget_id=b1', '/accounts?budget_id=b1&name=a1', '/token'],
    ...['/transactions/t1?budget_id=b1', '/months/2024-01?budget_id=b1'],
    ...['/balances?budget_id=b1&start_date=2024-01-01&end_date=2024-01-02'],
    ...['/payees?budget_id=b1&limit=0', '/payees?budget_id=nowhere&limit=1'],
  ]) {
    const { headers } = await served.api(path, { token });
    t.is(headers.get('link'), null, path);
  }
});
