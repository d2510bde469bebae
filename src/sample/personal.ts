// The budget that one of the sample's people keeps for herself, before and after its clean slate.
import type { GroupPlan, Plan, Purchase } from './plan.ts';

const GROUPS: readonly GroupPlan[] = [
  {
    name: 'Me',
    mode: 'envelope',
    categories: [
      { name: 'Lunch', monthly: 65_00 },
      { name: 'Coffee', monthly: 20_00 },
      { name: 'Magazines & Games', monthly: 40_00 },
      { name: 'Clothes', monthly: 65_00 },
      { name: 'Body', monthly: 60_00, note: 'Hairdresser, gym, creams' },
      { name: 'Evenings Out', monthly: 95_00 },
      { name: 'Small Things', monthly: 40_00 },
    ],
  },
  {
    name: 'Later',
    mode: 'envelope',
    categories: [
      { name: 'Bicycle', monthly: 40_00 },
      { name: 'Weekend Trips', monthly: 50_00, carriesOver: true },
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
  [
    'Lunch',
    4,
    5_00,
    35_00,
    'Canteen, Salad Bar, Imbiss am Markt, Falafel Beirut',
    { inCash: true },
  ],
  ['Coffee', 3, 2_00, 12_00, 'Kaffeerösterei, Canteen, Café Zoë', { inCash: true }],
  [
    'Small Things',
    3,
    1_50,
    32_00,
    'Station Kiosk, dm, Flea Market Stall, Stationery',
    { inCash: true },
  ],
  [
    'Evenings Out',
    2,
    12_00,
    105_00,
    'Kino Rex, Biergarten, Jazzkeller, Tapas Sol',
    { label: 'Friends' },
  ],
  ['Magazines & Games', 1, 6_00, 90_00, 'Press Shop, Game Store'],
  ['Body', 1, 6_00, 60_00, 'Friseur Schnitt, Sauna, dm'],
  ['Clothes', 1, 15_00, 150_00, 'Vintage Corner, Schuhhaus Römer'],
  ['Weekend Trips', 1, 12_00, 110_00, 'Bahn, Hostel, Ferry Line', { label: 'Trip' }],
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
    [1, 1, 'Household', 'Pocket Money', 860_00],
    [19, 2, 'Flea Market Stall', 'Flea Market', 55_00, { account: 'purse', spreadPercent: 60 }],
    [7, 1, 'Gym', 'Body', -29_90],
  ],
  transfers: [
    [8, 1, 'giro', 'card', null],
    [15, 1, 'giro', 'study', 50_00, 'Unplanned'],
  ],
  purchases: PURCHASES,
  memos: { Lunch: ['Paid for Tom too', 'Soup'] },
  splits: { 'Small Things': ['Magazines & Games', 'Body'] },
};
