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

const PURCHASES: readonly Purchase[] = [
  {
    category: 'Lunch',
    payees: ['Canteen', 'Salad Bar', 'Imbiss am Markt', 'Falafel Beirut'],
    inCash: true,
    timesPerMonth: 27,
    cost: [3_80, 9_50],
    memos: ['Paid for Tom too', 'Soup'],
  },
  {
    category: 'Coffee',
    payees: ['Kaffeerösterei', 'Canteen', 'Café Zoë'],
    inCash: true,
    timesPerMonth: 34,
    cost: [1_40, 4_20],
  },
  {
    category: 'Small Things',
    payees: ['Station Kiosk', 'dm', 'Flea Market Stall', 'Stationery'],
    inCash: true,
    timesPerMonth: 30,
    cost: [80, 6_50],
    splitWith: ['Magazines & Games', 'Body'],
  },
  {
    category: 'Evenings Out',
    payees: ['Kino Rex', 'Biergarten', 'Jazzkeller', 'Tapas Sol'],
    timesPerMonth: 10,
    cost: [6_00, 24_00],
    label: 'Friends',
  },
  {
    category: 'Magazines & Games',
    payees: ['Press Shop', 'Game Store'],
    timesPerMonth: 9,
    cost: [2_50, 14_00],
  },
  {
    category: 'Body',
    payees: ['Friseur Schnitt', 'Sauna', 'dm'],
    timesPerMonth: 7,
    cost: [4_00, 22_00],
  },
  {
    category: 'Clothes',
    payees: ['Vintage Corner', 'Schuhhaus Römer'],
    timesPerMonth: 4,
    cost: [9_00, 48_00],
  },
  {
    category: 'Weekend Trips',
    payees: ['Bahn', 'Hostel', 'Ferry Line'],
    timesPerMonth: 3,
    cost: [9_00, 46_00],
    label: 'Trip',
  },
];

export const PERSONAL: Plan = {
  accounts: [
    { key: 'giro', name: 'Giro', type: 'checking', opening: 820_00 },
    { key: 'purse', name: 'Purse', type: 'cash', opening: 45_00 },
    { key: 'card', name: 'Card', type: 'creditCard', opening: -60_00 },
    { key: 'study', name: 'Study Loan', type: 'studentLoan', onBudget: false, opening: -4200_00 },
  ],
  groups: GROUPS,
  restCategory: 'Unplanned',
  mainAccount: 'giro',
  wallet: 'purse',
  cards: ['giro', 'card'],
  regulars: [
    { day: 1, payee: 'Household', category: 'Pocket Money', amount: 860_00 },
    {
      day: 19,
      everyMonths: 2,
      payee: 'Flea Market Stall',
      category: 'Flea Market',
      account: 'purse',
      amount: 55_00,
      spreadPercent: 60,
    },
    { day: 7, payee: 'Gym', category: 'Body', amount: -29_90 },
  ],
  transfers: [
    { day: 8, from: 'giro', to: 'card', amount: null },
    { day: 15, from: 'giro', to: 'study', amount: 50_00, category: 'Unplanned' },
  ],
  purchases: PURCHASES,
};
