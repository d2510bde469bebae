// A history of the reader's own, from the shell to the answers: start --empty, append, token issue, and two users
// who read with a restricted token each.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUDGET_EVENT_TYPES, SPACE_EVENT_TYPES } from '../../schemas/generated/events.ts';
import { budgeting } from '../commands/started.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import { askUntilAvailable } from '../http/ask-again.ts';
import { played } from '../model/played.ts';

const MANY = '1000000';
const utcDay = () => new Date().toISOString().slice(0, 10);

test('every event type that is appended appears in the answers of two users with restricted tokens', async t => {
  const folder = await temporaryFolder(t);
  const env = {
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    RATE_LIMIT_IP_PER_MINUTE: MANY,
    RATE_LIMIT_TOKEN_READS_PER_MINUTE: MANY,
    RATE_LIMIT_USER_PER_MINUTE: MANY,
  };
  const options = { seed: 1, events: 3000, budgets: 6, spaces: 2, users: 2, wildNames: true };
  const history = randomHistory(options);
  const types = new Set(history.map(({ event }) => event.type));
  t.deepEqual(
    [...BUDGET_EVENT_TYPES, ...SPACE_EVENT_TYPES].filter(type => !types.has(type)),
    [],
  );
  const model = played(history);

  const system = budgeting(['start', '--empty'], env);
  t.teardown(async () => {
    system.child.kill('SIGTERM');
    await system.ended;
  });
  const address = /Read API\s+(\S+)/.exec(await system.printed(/goes on where/))?.[1];
  const file = join(folder, 'history.ndjson');
  const lines = eventsOf(history).map(event => `${JSON.stringify(event)}\n`);
  await writeFile(file, lines.join(''));
  const appended = await budgeting(['append', file], env).ended;
  t.is(appended.code, 0, appended.err);
  t.is(appended.out.split('\n')[0], `appended ${history.length}`);
  // A wait for the position of a budget is none for its space: until that is applied, nobody reaches the budget.
  await eventually(t, async tried => {
    const status = await budgeting(['status', '--json'], env).ended;
    const [{ applied, total }] = JSON.parse(status.out).generations;
    tried.deepEqual([applied, total], [history.length, history.length]);
  });

  let compared = 0;
  for (const user of ['user-1', 'user-2']) {
    let today = utcDay();
    let answers = model.answers(user, { today });
    const reached = model.budgetIds().filter(id => answers.position(id) !== null);
    const [narrow, other] = reached;
    if (narrow === undefined) continue;
    const args = ['token', 'issue', '--user', user, '--budget', narrow, '--json'];
    const issued = await budgeting(args, env).ended;
    t.is(issued.code, 0, issued.err);
    const { token } = JSON.parse(issued.out) as { token: string };
    const get = async (path: string, seconds = 10) => {
      const wait = {
        'x-projection-wait-for': String(answers.position(narrow)),
        'x-projection-wait-seconds': String(seconds),
      };
      const headers = { authorization: `Bearer ${token}`, ...wait };
      const response = await askUntilAvailable(() => fetch(`${address}${path}`, { headers }));
      return { status: response.status, body: await response.json() };
    };
    const same = async (path: string, expected: () => unknown) => {
      let got = await get(path);
      // Balances depend on the reader's day, and the model answers for the day of the request.
      while (today !== utcDay()) {
        today = utcDay();
        answers = model.answers(user, { today });
        got = await get(path);
      }
      t.deepEqual(got, { status: 200, body: expected() }, `${user} ${path}`);
      compared += 1;
    };
    const query = `?budget_id=${narrow}`;
    await same(`/accounts${query}`, () => answers.accounts(narrow));
    await same('/budgets', () => answers.budgets({ budgets: [narrow] }));
    await same(`/transactions${query}`, () => answers.transactions(narrow));
    await same(`/categories${query}&include_hidden=true`, () =>
      answers.categories(narrow, { include_hidden: true }),
    );
    await same(`/payees${query}`, () => answers.payees(narrow));
    await same(`/labels${query}`, () => answers.labels(narrow));
    const month = HISTORY_TODAY.slice(0, 7);
    await same(`/months/${month}${query}`, () => answers.month(narrow, month));
    const months = { start_month: '2024-01', end_month: month };
    const from = `${query}&start_month=2024-01&end_month=${month}`;
    await same(`/months${from}`, () => answers.months(narrow, months));
    await same(`/category-months${from}`, () => answers.categoryMonths(narrow, months));
    const days = { start_date: '2024-11-05', end_date: '2025-03-05' };
    await same(`/balances${query}&start_date=2024-11-05&end_date=2025-03-05`, () =>
      answers.balances(narrow, days),
    );
    if (other !== undefined) t.is((await get(`/accounts?budget_id=${other}`)).status, 403);
    t.is((await get('/accounts?budget_id=nowhere', 0)).status, 404);
  }
  t.is(compared, 20, 'both users read every endpoint');
});
