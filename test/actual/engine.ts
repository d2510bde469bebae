// What the comparison uses of Actual's engine, with types.
import type { EngineProcess } from '../../scripts/actual/start-engine.ts';
import { flag, integer, list, object, type Read, text, textOrNull } from './read-value.ts';

const ACCOUNT = object({ id: text, name: text, offbudget: flag, closed: flag });
const CATEGORY = object({ id: text, name: text, group_id: text, is_income: flag, hidden: flag });
const GROUP = object({
  id: text,
  name: text,
  is_income: flag,
  hidden: flag,
  categories: list(CATEGORY),
});
const PAYEE = object({ id: text, name: text, transfer_acct: textOrNull });
const TRANSACTION_FIELDS = {
  id: text,
  is_parent: flag,
  account: text,
  category: textOrNull,
  amount: integer,
  payee: textOrNull,
  notes: textOrNull,
  date: text,
  transfer_id: textOrNull,
  cleared: flag,
  reconciled: flag,
};
const LEG = object(TRANSACTION_FIELDS);
const TRANSACTION = object({ ...TRANSACTION_FIELDS, subtransactions: list(LEG) });
const ENVELOPE = object({
  id: text,
  budgeted: integer,
  spent: integer,
  balance: integer,
  carryover: flag,
});
const SUM = object({
  month: text,
  amount: integer,
  count: integer,
  account: textOrNull,
  category: textOrNull,
  payee: textOrNull,
  parent_id: textOrNull,
  transfer_id: textOrNull,
});
const MONTH = object({
  month: text,
  toBudget: integer,
  totalBudgeted: integer,
  lastMonthOverspent: integer,
  categoryGroups: list(object({ is_income: flag, categories: list(value => value) })),
});

export type Account = ReturnType<typeof ACCOUNT>;
export type Category = ReturnType<typeof CATEGORY>;
export type Group = ReturnType<typeof GROUP>;
export type Payee = ReturnType<typeof PAYEE>;
export type Leg = ReturnType<typeof LEG>;
export type Transaction = ReturnType<typeof TRANSACTION>;
export type Month = Omit<ReturnType<typeof MONTH>, 'categoryGroups'> & {
  readonly envelopes: readonly ReturnType<typeof ENVELOPE>[];
  /** Set aside by hand, or automatically from the income of the month. */
  readonly held: number;
};

/** The fields of a row by which it adds up. */
export type SummedBy = 'account' | 'category' | 'payee' | 'parent_id' | 'transfer_id';

export type Engine = ReturnType<typeof createEngine>;

const ALL_DATES = ['0001-01-01', '9999-12-31'] as const;

export function createEngine({ call, stop }: EngineProcess) {
  const ask = async <T>(read: Read<T>, name: string, ...args: readonly unknown[]): Promise<T> =>
    read(await call(name, ...args), name);
  const send = (name: string, args: unknown) => call('send', name, args);
  return {
    /** Runs a function whose result nobody needs; `send` reaches those that only Actual's own pages use. */
    call,
    send,
    stop,
    /** Makes a new budget, with clock and ids that repeat themselves; it has one group, that of income. */
    async createBudget(name: string, { seed, now }: { seed: number; now: string }): Promise<void> {
      await call('begin', seed, now);
      await call('createBudget', name);
    },
    /** Returns the archive that a user gets, and opens it: figures then come from the file alone, not from caches. */
    async exportAndReopen(): Promise<Uint8Array> {
      const archive = await call('exportBudget');
      if (!(archive instanceof Uint8Array)) throw new Error('Expected an archive of bytes');
      await call('importBudget', archive, { type: 'actual', filename: 'export.zip' });
      return archive;
    },
    create: (what: 'Account' | 'Category' | 'CategoryGroup', ...args: readonly unknown[]) =>
      ask(text, `create${what}`, ...args),
    accounts: () => ask(list(ACCOUNT), 'getAccounts'),
    groups: () => ask(list(GROUP), 'getCategoryGroups'),
    /** Those of transfers too. */
    payees: () => ask(list(PAYEE), 'getPayees'),
    transactions: () => ask(list(TRANSACTION), 'getTransactions', null, ...ALL_DATES),
    balance: (id: string, date: string) =>
      ask(integer, 'getAccountBalance', id, new Date(`${date}T12:00:00Z`)),
    async note(id: string): Promise<string | null> {
      const found = await call('getNote', id);
      return found === null ? null : object({ note: textOrNull })(found, 'getNote').note;
    },
    /** Adds up the rows of these amounts. Legs count in place of the transaction that they split; a field outside of `by` is null. */
    async sums(by: readonly SummedBy[], amount: object) {
      const month = { $month: '$date' };
      const select = [
        ...by,
        { month },
        { amount: { $sum: '$amount' } },
        { count: { $count: '$id' } },
      ];
      const query = {
        table: 'transactions',
        tableOptions: { splits: 'inline' },
        filterExpressions: [{ amount }],
        selectExpressions: select,
        groupExpressions: [...by, month],
        orderExpressions: [],
        calculation: false,
        rawMode: false,
        withDead: false,
        validateRefs: true,
        limit: null,
        offset: null,
      };
      const { data } = object({ data: list(SUM) })(await send('api/query', { query }), 'api/query');
      return data;
    },
    months: () => ask(list(text), 'getBudgetMonths'),
    async month(name: string): Promise<Month> {
      const { categoryGroups, ...month } = await ask(MONTH, 'getBudgetMonth', name);
      const cell = { sheetName: `budget${name.replace('-', '')}`, name: 'buffered-selected' };
      const { value } = object({ value: integer })(await send('get-cell', cell), 'get-cell');
      const envelopes = categoryGroups
        .filter(group => !group.is_income)
        .flatMap(group => group.categories);
      return { ...month, held: value, envelopes: list(ENVELOPE)(envelopes, 'getBudgetMonth') };
    },
  };
}
