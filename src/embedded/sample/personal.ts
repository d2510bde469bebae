// The budget that one of the sample's people keeps for herself, before and after its clean slate.
import type { GroupPlan, Plan, Purchase } from './plan.ts';

const GROUPS: readonly GroupPlan[] = [
  {
    name: 'Me',
    mode: 'envelope',
    categories: [
      { name: 'Lunch', monthly: 140_00 },
      { name: 'Coffee', monthly: 75_00 },
      { name: 'Magazines & Games', monthly: 60_00 },
      { name: 'Clothes', monthly: 90_00 },
      { name: 'Body', monthly: 80_00, note: 'Hairdresser, gym, creams' },
      { name: 'Evenings Out', monthly: 130_00 },
      { name: 'Small Things', monthly: 70_00 },
    ],
  },
  {
    name: 'Later',
    mode: 'envelope',
    categories: [
      { name: 'Bicycle', monthly: 40_00 },
      { name: 'Weekend Trips', monthly: 60_00, carriesOver: true },
      { name: 'Unplanned' },
    ],
  },
  {
    name: 'Income',
    mode: 'income',
    categories: [{ name: 'Pocket Money' }, { name: 'Flea Market' }, { name: 'Starting Balances' }],
  },
  { name: 'Other', mode: 'unfunded', categories: [{ name: 'Differences' }] },
];

const PURSE = ['purse', 'purse', 'giro'] as const;
const CARD = ['giro', 'card'] as const;

const PURCHASES: readonly [Purchase, ...Purchase[]] = [
  {
    category: 'Lunch',
    payees: ['Canteen', 'Salad Bar', 'Imbiss am Markt', 'Falafel Beirut'],
    accounts: PURSE,
    timesPerMonth: 27,
    from: 3_80,
    to: 9_50,
    memos: ['Paid for Tom too', 'Soup'],
  },
  {
    category: 'Coffee',
    payees: ['Kaffeerösterei', 'Canteen', 'Café Zoë'],
    accounts: PURSE,
    timesPerMonth: 34,
    from: 1_40,
    to: 4_20,
  },
  {
    category: 'Small Things',
    payees: ['Station Kiosk', 'dm', 'Flea Market Stall', 'Stationery'],
    accounts: PURSE,
    timesPerMonth: 30,
    from: 80,
    to: 6_50,
    splitWith: ['Magazines & Games', 'Body'],
  },
  {
    category: 'Evenings Out',
    payees: ['Kino Rex', 'Biergarten', 'Jazzkeller', 'Tapas Sol'],
    accounts: CARD,
    timesPerMonth: 10,
    from: 6_00,
    to: 24_00,
    label: 'Friends',
  },
  {
    category: 'Magazines & Games',
    payees: ['Press Shop', 'Game Store'],
    accounts: CARD,
    timesPerMonth: 9,
    from: 2_50,
    to: 14_00,
  },
  {
    category: 'Body',
    payees: ['Friseur Schnitt', 'Sauna', 'dm'],
    accounts: CARD,
    timesPerMonth: 7,
    from: 4_00,
    to: 22_00,
  },
  {
    category: 'Clothes',
    payees: ['Vintage Corner', 'Schuhhaus Römer'],
    accounts: CARD,
    timesPerMonth: 4,
    from: 9_00,
    to: 48_00,
  },
  {
    category: 'Weekend Trips',
    payees: ['Bahn', 'Hostel', 'Ferry Line'],
    accounts: CARD,
    timesPerMonth: 3,
    from: 9_00,
    to: 46_00,
    label: 'Trip',
  },
];

export const PERSONAL: Plan = {
  currency: 'EUR',
  accounts: [
    { key: 'giro', name: 'Giro', type: 'checking', onBudget: true, opening: 820_00 },
    { key: 'purse', name: 'Purse', type: 'cash', onBudget: true, opening: 45_00 },
    { key: 'card', name: 'Card', type: 'creditCard', onBudget: true, opening: -60_00 },
    { key: 'study', name: 'Study Loan', type: 'studentLoan', onBudget: false, opening: -4200_00 },
  ],
  groups: GROUPS,
  startingCategory: 'Starting Balances',
  differencesCategory: 'Differences',
  restCategory: 'Unplanned',
  wallet: { account: 'purse', from: 'giro' },
  incomes: [
    { day: 1, payee: 'Household', category: 'Pocket Money', account: 'giro', amount: 860_00 },
    {
      day: 19,
      everyMonths: 2,
      payee: 'Flea Market Stall',
      category: 'Flea Market',
      account: 'purse',
      amount: 55_00,
      spreadPercent: 60,
    },
  ],
  bills: [{ day: 7, payee: 'Gym', category: 'Body', account: 'giro', amount: 29_90 }],
  transfers: [
    { day: 8, from: 'giro', to: 'card', amount: null },
    { day: 15, from: 'giro', to: 'study', amount: 50_00, category: 'Unplanned' },
  ],
  purchases: PURCHASES,
};
