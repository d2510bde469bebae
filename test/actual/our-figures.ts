// The figures of an imported budget, as the API answers them, under the names that engine-figures.ts gives them.
import { lastDayOf } from '../model/calendar.ts';
import { sumName } from './engine-sums.ts';
import { addFields, type Figures } from './figures.ts';
import { flag, integer, list, object, type Read, text, textOrNull } from './read-value.ts';

/** Returns the body of an answer; `path` is below /api/v1 and has the budget's id already. */
export type Ask = (path: string, query?: string) => Promise<unknown>;

const FIGURES_OF_MONTH = { readyToAssign: text, assigned: text, heldForNextMonth: text };
const MONTHS = object({
  months: list(object({ month: text, overspentTotal: text, ...FIGURES_OF_MONTH })),
});
const ENVELOPES = object({
  months: list(
    object({
      month: text,
      categories: list(
        object({
          categoryId: text,
          assigned: text,
          activity: text,
          available: text,
          carriesOver: flag,
        }),
      ),
    }),
  ),
});
const ACCOUNTS = object({
  accounts: list(object({ id: text, name: text, onBudget: flag, closed: flag, balance: text })),
});
const POINTS = object({ points: list(object({ date: text, balance: text })) });
const CATEGORY = object({ id: text, name: text, hidden: flag, note: textOrNull });
const GROUPS = object({
  categoryGroups: list(
    object({ id: text, name: text, hidden: flag, budgetMode: text, categories: list(CATEGORY) }),
  ),
});
const PAYEES = object({ payees: list(object({ id: text, name: text })) });
const ROWS = object({
  transactions: list(
    object({
      id: text,
      date: text,
      accountId: text,
      amount: text,
      categoryId: textOrNull,
      payeeName: textOrNull,
      memo: text,
      cleared: flag,
      reconciled: flag,
      transferAccountId: textOrNull,
      splitGroupId: textOrNull,
    }),
  ),
});
const SUMS = object({
  sums: list(
    object({
      period: text,
      id: textOrNull,
      inflow: text,
      outflow: text,
      net: text,
      count: integer,
    }),
  ),
});

const PAGE = 1000;
const SUM_KINDS = ['account', 'category', 'payee'];

/** @param months those that Actual shows, oldest first */
export async function ourFigures(ask: Ask, months: readonly string[]): Promise<Figures> {
  const figures = new Map<string, string>();
  const [first = '', last = ''] = [months[0], months.at(-1)];
  const span = `start_month=${first}&end_month=${last}`;
  const get = async <T>(read: Read<T>, path: string, query?: string) =>
    read(await ask(path, query), path);
  for (const { month, overspentTotal, ...rest } of (await get(MONTHS, '/months', span)).months) {
    addFields(figures, month, rest);
    // Actual shows it in the month after.
    if (month !== last) figures.set(`${month} overspentTotal`, overspentTotal);
  }
  const shown = `${span}&include_hidden=true`;
  for (const { month, categories } of (await get(ENVELOPES, '/category-months', shown)).months) {
    for (const { categoryId, ...rest } of categories) {
      addFields(figures, `${month} ${categoryId}`, rest);
    }
  }
  const dates = `start_date=${first}-01&end_date=${lastDayOf(last)}&interval=month`;
  for (const { id, ...rest } of (await get(ACCOUNTS, '/accounts')).accounts) {
    addFields(figures, `account ${id}`, rest);
    const { points } = await get(POINTS, '/balances', `${dates}&account_id=${id}`);
    for (const { date, balance } of points) figures.set(`account ${id} ${date}`, balance);
  }
  const { categoryGroups } = await get(GROUPS, '/categories', 'include_hidden=true');
  figures.set('order of groups', categoryGroups.map(({ id }) => id).join(' '));
  for (const { id, categories, ...rest } of categoryGroups) {
    const order = categories.map(category => category.id).join(' ');
    addFields(figures, `group ${id}`, { ...rest, order });
    for (const { id, ...rest } of categories) addFields(figures, `category ${id}`, rest);
  }
  for (const { id, name } of (await get(PAYEES, '/payees')).payees) {
    figures.set(`payee ${id}`, name);
  }
  for (const kind of SUM_KINDS) {
    const query = `group_by=${kind}&interval=month&transfers=include`;
    for (const { period, id, ...rest } of await pages(async page => {
      return (await get(SUMS, '/sums', `${query}&${page}`)).sums;
    })) {
      addFields(figures, sumName(kind, period, id), rest);
    }
  }
  const rows = await pages(async page => (await get(ROWS, '/transactions', page)).transactions);
  for (const { id, ...rest } of rows) addFields(figures, `row ${id}`, rest);
  return figures;
}

/** Asks for pages until one is not full. */
async function pages<T>(ask: (page: string) => Promise<T[]>): Promise<T[]> {
  const all: T[] = [];
  for (let offset = 0; offset === all.length; offset += PAGE) {
    all.push(...(await ask(`limit=${PAGE}&offset=${offset}`)));
  }
  return all;
}
