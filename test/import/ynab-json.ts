// The body of YNAB's API for one budget, as somebody saves it to a file.

const GROUPS = { internal: 'g-internal', cards: 'g-cards', daily: 'g-daily' };

function transaction(id: string, fields: object) {
  return {
    id,
    date: '2026-01-10',
    amount: 0,
    memo: null,
    cleared: 'cleared',
    approved: true,
    flag_color: null,
    flag_name: null,
    account_id: 'a-bank',
    payee_id: null,
    category_id: null,
    transfer_account_id: null,
    deleted: false,
    ...fields,
  };
}

function account(id: string, name: string, fields: object) {
  return {
    id,
    name,
    type: 'checking',
    on_budget: true,
    closed: false,
    note: null,
    deleted: false,
    ...fields,
  };
}

function category(id: string, name: string, group: string) {
  return {
    id,
    category_group_id: group,
    name,
    hidden: false,
    note: null as string | null,
    deleted: false,
  };
}

function group(id: string, name: string) {
  return { id, name, hidden: false, deleted: false };
}

/** A split, a transfer to a card, one off budget, a closed account, a deleted row and a scheduled one. */
export const YNAB_JSON = {
  id: 'b-1',
  name: 'Household',
  currency_format: { iso_code: 'EUR', decimal_digits: 2 },
  accounts: [
    account('a-bank', 'Bank', { balance: 870_000 }),
    account('a-visa', 'Visa', { type: 'creditCard', balance: -50_000 }),
    account('a-house', 'House', { type: 'otherAsset', on_budget: false, balance: 1_000_000 }),
    account('a-old', 'Old', { type: 'savings', closed: true, balance: 0 }),
    account('a-gone', 'Gone', { deleted: true, balance: 0 }),
  ],
  payees: [
    { id: 'p-shop', name: 'Shop', transfer_account_id: null, deleted: false },
    { id: 'p-start', name: 'Starting Balance', transfer_account_id: null, deleted: false },
    { id: 'p-visa', name: 'Transfer : Visa', transfer_account_id: 'a-visa', deleted: false },
  ],
  category_groups: [
    group(GROUPS.internal, 'Internal Master Category'),
    group(GROUPS.cards, 'Credit Card Payments'),
    group(GROUPS.daily, 'Daily'),
  ],
  categories: [
    category('c-rta', 'Inflow: Ready to Assign', GROUPS.internal),
    category('c-none', 'Uncategorized', GROUPS.internal),
    category('c-visa', 'Visa', GROUPS.cards),
    { ...category('c-food', 'Food', GROUPS.daily), note: 'not restaurants' },
    { ...category('c-fun', 'Fun', GROUPS.daily), hidden: true },
  ],
  months: [
    {
      month: '2026-01-01',
      deleted: false,
      categories: [
        { id: 'c-food', budgeted: 60_000, activity: -50_000, deleted: false },
        { id: 'c-fun', budgeted: 0, activity: -30_000, deleted: false },
        { id: 'c-visa', budgeted: 100_000, activity: 0, deleted: false },
      ],
    },
  ],
  transactions: [
    transaction('t-start', { amount: 1_000_000, payee_id: 'p-start', category_id: 'c-rta' }),
    transaction('t-debt', { account_id: 'a-visa', amount: -100_000, payee_id: 'p-start' }),
    transaction('t-house', { account_id: 'a-house', amount: 1_000_000, payee_id: 'p-start' }),
    transaction('t-split', {
      amount: -80_000,
      payee_id: 'p-shop',
      memo: 'big',
      flag_color: 'red',
      flag_name: 'Trip',
    }),
    transaction('t-pay', { amount: -50_000, payee_id: 'p-visa', transfer_account_id: 'a-visa' }),
    transaction('t-paid', {
      account_id: 'a-visa',
      amount: 50_000,
      transfer_account_id: 'a-bank',
      cleared: 'reconciled',
    }),
    transaction('t-gone', { amount: -1_000, deleted: true }),
  ],
  subtransactions: [
    {
      id: 's-1',
      transaction_id: 't-split',
      amount: -50_000,
      memo: null,
      payee_id: null,
      category_id: 'c-food',
      transfer_account_id: null,
      deleted: false,
    },
    {
      id: 's-2',
      transaction_id: 't-split',
      amount: -30_000,
      memo: 'cinema',
      payee_id: null,
      category_id: 'c-fun',
      transfer_account_id: null,
      deleted: false,
    },
  ],
  scheduled_transactions: [{ id: 'x-1', deleted: false }],
};
