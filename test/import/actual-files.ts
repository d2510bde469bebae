// An Actual Budget export: a database with the tables and views of Actual and rows of the test.
import initSqlJs, { type Database } from 'sql.js';
import type { NamedFile } from '../../src/import/read-files.ts';

// The tables of Actual that an import may read, and the view that Actual sums its balances from.
const SCHEMA = `
CREATE TABLE accounts (id TEXT PRIMARY KEY, account_id TEXT, name TEXT, balance_current INTEGER,
  balance_available INTEGER, balance_limit INTEGER, mask TEXT, official_name TEXT, subtype TEXT, bank TEXT,
  offbudget INTEGER DEFAULT 0, closed INTEGER DEFAULT 0, tombstone INTEGER DEFAULT 0, sort_order REAL, type TEXT,
  account_sync_source TEXT, last_sync text, last_reconciled text);
CREATE TABLE categories (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, cat_group TEXT, sort_order REAL,
  tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0, goal_def TEXT DEFAULT null,
  template_settings JSON DEFAULT '{"source": "notes"}');
CREATE TABLE category_groups (id TEXT PRIMARY KEY, name TEXT, is_income INTEGER DEFAULT 0, sort_order REAL,
  tombstone INTEGER DEFAULT 0, hidden BOOLEAN NOT NULL DEFAULT 0);
CREATE TABLE category_mapping (id TEXT PRIMARY KEY, transferId TEXT);
CREATE TABLE notes (id TEXT PRIMARY KEY, note TEXT);
CREATE TABLE payee_mapping (id TEXT PRIMARY KEY, targetId TEXT);
CREATE TABLE payees (id TEXT PRIMARY KEY, name TEXT, category TEXT, tombstone INTEGER DEFAULT 0, transfer_acct TEXT,
  favorite INTEGER DEFAULT 0 DEFAULT FALSE, learn_categories BOOLEAN DEFAULT 1);
CREATE TABLE preferences (id TEXT PRIMARY KEY, value TEXT);
CREATE TABLE reflect_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT, amount INTEGER DEFAULT 0,
  carryover INTEGER DEFAULT 0, goal INTEGER DEFAULT null, long_goal INTEGER DEFAULT null);
CREATE TABLE rules (id TEXT PRIMARY KEY, stage TEXT, conditions TEXT, actions TEXT, tombstone INTEGER DEFAULT 0,
  conditions_op TEXT DEFAULT 'and');
CREATE TABLE schedules (id TEXT PRIMARY KEY, rule TEXT, active INTEGER DEFAULT 0, completed INTEGER DEFAULT 0,
  posts_transaction INTEGER DEFAULT 0, tombstone INTEGER DEFAULT 0, name TEXT DEFAULT NULL);
CREATE TABLE transactions (id TEXT PRIMARY KEY, isParent INTEGER DEFAULT 0, isChild INTEGER DEFAULT 0, acct TEXT,
  category TEXT, amount INTEGER, description TEXT, notes TEXT, date INTEGER, financial_id TEXT, type TEXT,
  location TEXT, error TEXT, imported_description TEXT, starting_balance_flag INTEGER DEFAULT 0, transferred_id TEXT,
  sort_order REAL, tombstone INTEGER DEFAULT 0, cleared INTEGER DEFAULT 1, pending INTEGER DEFAULT 0, parent_id TEXT,
  schedule TEXT, reconciled INTEGER DEFAULT 0, raw_synced_data text);
CREATE TABLE zero_budget_months (id TEXT PRIMARY KEY, buffered INTEGER DEFAULT 0);
CREATE TABLE zero_budgets (id TEXT PRIMARY KEY, month INTEGER, category TEXT, amount INTEGER DEFAULT 0,
  carryover INTEGER DEFAULT 0, goal INTEGER DEFAULT null, long_goal INTEGER DEFAULT null);
CREATE VIEW v_transactions_internal_alive AS SELECT _.*, CASE WHEN _.isParent = 1 THEN NULL ELSE cm.transferId END
  AS mapped FROM transactions _ LEFT JOIN category_mapping cm ON cm.id = _.category
  LEFT JOIN transactions t2 ON (_.isChild = 1 AND t2.id = _.parent_id)
  WHERE IFNULL(_.tombstone, 0) = 0 AND (_.isChild = 0 OR t2.tombstone = 0) AND _.date IS NOT NULL
  AND _.acct IS NOT NULL;
`;

type Value = string | number | null;
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

export interface ActualFiles {
  readonly database: NamedFile;
  readonly metadata: NamedFile;
  /** The balance of each account id in Actual's own view. */
  readonly balances: Readonly<Record<string, number>>;
}

export async function actualFiles(
  rows: Rows,
  metadata: object = { budgetName: 'My Finances' },
): Promise<ActualFiles> {
  const sqlite = await initSqlJs();
  const database = new sqlite.Database();
  database.run(SCHEMA);
  for (const [table, entries] of Object.entries(rows)) {
    for (const entry of entries) insert(database, table, entry);
  }
  for (const id of rows.categories ?? []) mapToItself(database, 'category_mapping', id.id);
  for (const id of rows.payees ?? []) mapToItself(database, 'payee_mapping', id.id);
  const [sums] = database.exec(
    'SELECT acct, SUM(amount) FROM v_transactions_internal_alive WHERE isParent = 0 GROUP BY acct',
  );
  const balances = Object.fromEntries(sums?.values ?? []) as Record<string, number>;
  const bytes = Buffer.from(database.export());
  database.close();
  return {
    database: { name: 'db.sqlite', bytes },
    metadata: { name: 'metadata.json', bytes: Buffer.from(JSON.stringify(metadata)) },
    balances,
  };
}

function insert(database: Database, table: string, entry: Readonly<Record<string, Value>>): void {
  const columns = Object.keys(entry);
  const places = columns.map(() => '?').join(', ');
  database.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`,
    Object.values(entry),
  );
}

function mapToItself(database: Database, table: string, id: Value | undefined): void {
  database.run(`INSERT OR IGNORE INTO ${table} VALUES (?, ?)`, [id ?? null, id ?? null]);
}

/** One of each kind: a split with a transfer in it; merged, deleted, hidden, closed, held and carried-over things. */
export const FINANCES: Rows = {
  accounts: [
    { id: 'acc-bank', name: 'Bank', sort_order: 2 },
    { id: 'acc-cash', name: 'Cash', sort_order: 1 },
    { id: 'acc-loan', name: 'Loan', offbudget: 1, sort_order: 3 },
    { id: 'acc-old', name: 'Old', closed: 1, sort_order: 4 },
    { id: 'acc-gone', name: 'Gone', tombstone: 1, sort_order: 5 },
  ],
  category_groups: [
    { id: 'g-income', name: 'Income', is_income: 1, sort_order: 1_000_000 },
    { id: 'g-daily', name: 'Daily', sort_order: 1 },
    { id: 'g-hidden', name: 'Past', sort_order: 2, hidden: 1 },
    { id: 'g-gone', name: 'Gone', sort_order: 3, tombstone: 1 },
  ],
  categories: [
    { id: 'c-pay', name: 'Pay', is_income: 1, cat_group: 'g-income', sort_order: 1 },
    {
      id: 'c-start',
      name: 'Starting Balances',
      is_income: 1,
      cat_group: 'g-income',
      sort_order: 2,
    },
    { id: 'c-rent', name: 'Rent', cat_group: 'g-daily', sort_order: 2, goal_def: '[]' },
    { id: 'c-food', name: 'Food', cat_group: 'g-daily', sort_order: 1 },
    { id: 'c-bike', name: 'Bike', cat_group: 'g-hidden', sort_order: 1, hidden: 1 },
    { id: 'c-dead', name: 'Dead', cat_group: 'g-daily', sort_order: 3, tombstone: 1 },
  ],
  category_mapping: [{ id: 'c-merged', transferId: 'c-food' }],
  payees: [
    { id: 'p-market', name: 'Market' },
    { id: 'p-nobody', name: 'Nobody' },
    { id: 'p-bank', name: '', transfer_acct: 'acc-bank' },
    { id: 'p-cash', name: '', transfer_acct: 'acc-cash' },
    { id: 'p-loan', name: '', transfer_acct: 'acc-loan' },
  ],
  payee_mapping: [{ id: 'p-merged', targetId: 'p-market' }],
  transactions: [
    {
      id: 't1',
      acct: 'acc-bank',
      category: 'c-start',
      amount: 100_000,
      date: 20260101,
      starting_balance_flag: 1,
      sort_order: 9,
    },
    {
      id: 't2',
      acct: 'acc-bank',
      category: 'c-pay',
      amount: 100_000,
      date: 20260101,
      sort_order: 5,
      reconciled: 1,
    },
    {
      id: 't3',
      acct: 'acc-bank',
      category: 'c-rent',
      amount: -50_000,
      date: 20260103,
      description: 'p-nobody',
    },
    {
      id: 't4',
      acct: 'acc-bank',
      amount: -44_500,
      date: 20260105,
      isParent: 1,
      description: 'p-merged',
      notes: 'big #shopping',
    },
    {
      id: 't4a',
      acct: 'acc-bank',
      category: 'c-merged',
      amount: -34_500,
      date: 20260105,
      isChild: 1,
      parent_id: 't4',
      sort_order: 2,
      description: 'p-merged',
      cleared: 0,
    },
    {
      id: 't4b',
      acct: 'acc-bank',
      amount: -10_000,
      date: 20260105,
      isChild: 1,
      parent_id: 't4',
      sort_order: 1,
      description: 'p-cash',
      transferred_id: 't5',
      notes: 'coins',
    },
    {
      id: 't5',
      acct: 'acc-cash',
      amount: 10_000,
      date: 20260105,
      description: 'p-bank',
      transferred_id: 't4b',
    },
    {
      id: 't6',
      acct: 'acc-bank',
      category: 'c-rent',
      amount: -2_500,
      date: 20260203,
      description: 'p-loan',
      transferred_id: 't7',
    },
    {
      id: 't7',
      acct: 'acc-loan',
      amount: 2_500,
      date: 20260203,
      description: 'p-bank',
      transferred_id: 't6',
    },
    { id: 't8', acct: 'acc-loan', amount: -90_000, date: 20260102, starting_balance_flag: 1 },
    { id: 't9', acct: 'acc-bank', category: 'c-dead', amount: -1_500, date: 20260210 },
    {
      id: 't10',
      acct: 'acc-bank',
      category: 'c-food',
      amount: -99_900,
      date: 20260211,
      tombstone: 1,
    },
    { id: 't11', acct: 'acc-bank', category: 'c-pay', amount: 100_000, date: 20260201 },
    {
      id: 't12',
      acct: 'acc-gone',
      category: 'c-food',
      amount: -100,
      date: 20260220,
      notes: 'Reconciliation balance adjustment',
    },
    { id: 't13', acct: 'acc-bank', amount: -700, date: 20260212, isParent: 1, tombstone: 1 },
    {
      id: 't13a',
      acct: 'acc-bank',
      category: 'c-food',
      amount: -700,
      date: 20260212,
      isChild: 1,
      parent_id: 't13',
    },
  ],
  zero_budgets: [
    { id: '202601-c-food', month: 202601, category: 'c-food', amount: 30_000 },
    { id: '202601-c-rent', month: 202601, category: 'c-rent', amount: 50_000 },
    { id: '202602-c-food', month: 202602, category: 'c-food', amount: 30_000, carryover: 1 },
    { id: '202603-c-food', month: 202603, category: 'c-food', amount: 0, carryover: 1 },
    { id: '202605-c-food', month: 202605, category: 'c-food', amount: 0, carryover: 1 },
    { id: '202601-c-dead', month: 202601, category: 'c-dead', amount: 77_700 },
    { id: '202602-c-pay', month: 202602, category: 'c-pay', amount: 0, carryover: 1 },
  ],
  zero_budget_months: [{ id: '2026-01', buffered: 20_000 }],
  notes: [
    { id: 'c-food', note: 'Groceries, not restaurants' },
    { id: 'account-acc-bank', note: 'IBAN' },
  ],
  schedules: [{ id: 's1' }],
  rules: [{ id: 'r1' }, { id: 'r2', tombstone: 1 }],
  preferences: [{ id: 'defaultCurrencyCode', value: 'CHF' }],
};
