// Every request that makes a reader ask the database: all routes with all filters, waits, and the settings pages.
import { createDecisionLog } from '../../../../src/access/decisions.ts';
import { completeIndexes } from '../../../../src/store/collections.ts';
import {
  account,
  budget,
  category,
  FURNITURE,
  label,
  payee,
  row,
  space,
  steps,
} from '../../../model/scene.ts';
import type { Scene } from '../../../pages/settings/settings-scene.ts';
import { createVisitor, PLAIN } from '../../../pages/settings/visitor.ts';

/** So many that most amounts are beyond what the index of amounts is used for. */
const ROWS = 5600;
const DAY_MS = 86_400_000;
const PAGES_OF_CHANGES = 4;

/** A budget of some thousand rows over eight years, and others beside it that no answer may cost anything. */
export async function projectHistory({ model }: Scene): Promise<void> {
  const { project } = model;
  await project('space-1', ...space(['anna']));
  await project('space-2', ...space(['bert']));
  const names = Array.from({ length: 250 }, (_, index) => `shop-${index}`);
  await project(
    'own',
    budget('space-1'),
    ...FURNITURE,
    ...names.map(name => payee(name)),
    ...names.slice(0, 40).map(name => category(`c-${name}`, 'needs')),
    ...names.slice(0, 40).map(name => label(`l-${name}`)),
    ...Array.from({ length: ROWS }, (_, index) => rowOf(index)),
    row('later', { date: '2999-01-05' }),
  );
  for (let other = 0; other < 20; other += 1) {
    await project(`other-${other}`, budget('space-2'), account('home'), row('t1'), ...steps(2));
  }
  await completeIndexes(model.store.collections);
}

function rowOf(index: number) {
  const date = new Date(Date.UTC(2016, 0, 1) + index * DAY_MS).toISOString().slice(0, 10);
  return row(`t${index}`, {
    date,
    accountId: index % 3 === 0 ? 'cash' : 'home',
    cleared: index % 10 !== 0,
    ...(index % 7 === 0 ? {} : { categoryId: index % 2 === 0 ? 'food' : 'c-shop-3' }),
    payeeId: `shop-${index % 250}`,
    ...(index % 9 === 0 ? { labelIds: ['l-shop-1', 'l-shop-2'] } : {}),
    ...(index % 40 === 0 ? { type: 'reconciliation' as const } : {}),
    amount: `-${index % 50}.50`,
    memo: index % 20 === 0 ? 'coffee' : `memo ${index}`,
  });
}

/** Every combination of the older filters of /transactions, at the list's start and far behind it, and of the others. */
function transactionPaths(): string[] {
  const filters = [
    ['account_id=home'],
    ['category_id=food'],
    ['start_date=2017-01-01'],
    ['end_date=2022-12-31'],
    ['search=coffee', 'search=shop', 'search=shop-17', 'search=zzz', 'search=e'],
    ['uncategorized=true', 'uncategorized=false'],
    ['uncleared=true', 'uncleared=false'],
  ];
  const others = [
    ['account_id=home'],
    ['payee_id=shop-17'],
    ['label_id=l-shop-1'],
    ['type=reconciliation', 'type=standard'],
    ['min_amount=-3.50', 'max_amount=-1.50'],
    ['search=shop'],
    ['start_date=2017-01-01'],
  ];
  const queries = [...combinations(filters), ...combinations(others)];
  const paths = queries.map(query => `/transactions?budget_id=own&limit=20${query}`);
  return paths.flatMap(path => [path, `${path}&offset=700`]);
}

function combinations(filters: readonly (readonly string[])[]): string[] {
  let queries = [''];
  for (const values of filters) {
    queries = queries.flatMap(query => [query, ...values.map(value => `${query}&${value}`)]);
  }
  return queries;
}

/** Sums of each kind: of all dates, of days, and with each combination of filters. */
function sumPaths(): string[] {
  const filters = ['account_id=home', 'category_id=food', 'payee_id=shop-3', 'label_id=red'];
  let queries = ['', '&start_date=2016-01-15&end_date=2018-02-03', '&transfers=only'];
  for (const filter of filters) queries = queries.flatMap(one => [one, `${one}&${filter}`]);
  return ['account', 'category', 'categoryGroup', 'payee', 'label', 'none'].flatMap(by =>
    queries.map(query => `/sums?budget_id=own&group_by=${by}&interval=month&limit=50${query}`),
  );
}

const PATHS = [
  '/budgets',
  '/token',
  '/accounts?budget_id=own',
  '/categories?budget_id=own&include_hidden=true',
  '/payees?budget_id=own&limit=30&offset=10',
  '/payees?budget_id=own&name=shop-3',
  '/accounts?budget_id=own&name=home',
  '/transactions/t7?budget_id=own',
  '/labels?budget_id=own&limit=30',
  '/months/2018-04?budget_id=own',
  '/months?budget_id=own&start_month=2016-01&end_month=2020-12',
  '/category-months?budget_id=own&start_month=2016-01&end_month=2020-12',
  '/balances?budget_id=own&start_date=2016-01-03&end_date=2018-01-05',
  '/balances?budget_id=own&start_date=2016-01-03&end_date=2020-01-05&interval=month&account_id=home',
  '/accounts?budget_id=other-3',
  ...sumPaths(),
];

export async function askEverything(scene: Scene): Promise<void> {
  const { origin, tokens, signInLink } = scene;
  const { token } = await tokens.issue({ owner: 'anna' }, new Date());
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const all = { authorization: `Bearer ${token}`, ...headers };
    const answer = await fetch(`${origin}/api/v1${path}`, { headers: all });
    const isGood = [200, 404, 503].includes(answer.status);
    const text = await answer.text();
    if (!isGood) throw new Error(`Expected an answer to ${path}, got ${answer.status} ${text}`);
    return text;
  };
  for (const path of [...PATHS, ...transactionPaths()]) await get(path);
  await get('/transactions?budget_id=own&limit=20', { accept: 'text/csv' });
  await get('/accounts?budget_id=own', {
    'x-projection-wait-for': '999999',
    'x-projection-wait-seconds': '1',
  });
  let cursor = '';
  for (let page = 0; page < PAGES_OF_CHANGES; page += 1) {
    const text = await get(`/changes?budget_id=own&limit=200${cursor}`);
    cursor = `&cursor=${encodeURIComponent(JSON.parse(text).cursor)}`;
    // Pages name only what was deleted after the first one.
    const gone = { type: 'transaction.deleted', data: { transactionId: `t${page}` } } as const;
    await scene.model.project('own', gone);
  }
  await visitPages(await signInLink('anna'), origin);
}

async function visitPages(link: string, origin: string): Promise<void> {
  const visitor = createVisitor(origin);
  await visitor.signIn(link);
  const created = await visitor.post('/settings/tokens', {
    ...PLAIN,
    ...(await visitor.newForm()),
  });
  if (created.status !== 200) throw new Error(`Expected a token, got ${created.status}`);
  const list = await visitor.get('/settings/tokens');
  const [revoke = ''] = /\/settings\/tokens\/[^/"]+\/revoke/.exec(list.text) ?? [];
  const page = await visitor.get(revoke);
  const [, key = ''] = /name="form_key" value="([^"]+)"/.exec(page.text) ?? [];
  await visitor.post(revoke, { form_key: key });
  await visitor.post('/settings/sign-out', { form_key: key });
}

/** What only operators' commands ask the stores of access. */
export async function runCommands({ access, tokens }: Scene): Promise<void> {
  const decisions = createDecisionLog(access);
  await decisions.remember({ subject: 'own', sequence: 9, eventId: null }, new Date());
  await decisions.load();
  await tokens.list();
  const [token] = await tokens.list('anna');
  if (token !== undefined) await tokens.revoke(token.id, new Date());
}
