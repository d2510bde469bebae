// The household that the sample's two people share: what it has, earns and spends.
import type { GroupPlan, Plan, Purchase, Regular } from './plan.ts';

const ENVELOPES: readonly GroupPlan[] = [
  {
    name: 'Housing',
    mode: 'envelope',
    categories: [
      { name: 'Rent', monthly: 1180_00, note: 'Due on the 2nd' },
      { name: 'Electricity', monthly: 95_00 },
      { name: 'Heating', monthly: 120_00, note: 'Settled each May' },
      { name: 'Internet & Phone', monthly: 72_00 },
      { name: 'Insurance', monthly: 85_00 },
    ],
  },
  {
    name: 'Everyday',
    mode: 'envelope',
    categories: [
      { name: 'Groceries', monthly: 850_00 },
      { name: 'Bakery', monthly: 45_00 },
      { name: 'Eating Out', monthly: 230_00 },
      { name: 'Coffee', monthly: 45_00 },
      { name: 'Household Goods', monthly: 180_00 },
      { name: 'Transport', monthly: 80_00 },
      { name: 'Fuel', monthly: 130_00 },
      { name: 'Snacks', monthly: 25_00, carriesOver: true, isLater: true },
      { name: 'Parking', monthly: 15_00, note: 'Only the city', isLater: true },
    ],
  },
  {
    name: 'Family',
    mode: 'envelope',
    categories: [
      { name: 'Childcare', monthly: 280_00 },
      { name: 'Clothing', monthly: 140_00 },
      { name: 'Health', monthly: 70_00 },
      { name: 'Gifts', monthly: 65_00 },
      { name: 'Cat', monthly: 45_00, note: 'Vaccination in October' },
    ],
  },
  {
    name: 'Fun',
    mode: 'envelope',
    categories: [
      { name: 'Hobbies', monthly: 115_00 },
      { name: 'Subscriptions', monthly: 60_00 },
      { name: 'Books', monthly: 30_00 },
      { name: 'Holidays', monthly: 200_00 },
    ],
  },
  {
    name: 'Saving up',
    mode: 'envelope',
    categories: [
      { name: 'Car Repairs', monthly: 50_00 },
      { name: 'New Sofa', monthly: 40_00 },
      { name: 'Investments', monthly: 150_00 },
      { name: 'Car Loan', monthly: 210_00 },
      { name: 'Emergency Fund' },
      { name: 'Work Expenses', note: 'Paid back by the employer', carriesOver: true },
    ],
  },
];

const OTHERS: readonly GroupPlan[] = [
  {
    name: 'Income',
    mode: 'income',
    categories: [
      { name: 'Salary Anna' },
      { name: 'Salary Ben' },
      { name: 'Child Benefit' },
      { name: 'Freelance' },
      { name: 'Starting Balances' },
    ],
  },
  {
    name: 'Without envelopes',
    mode: 'unfunded',
    categories: [{ name: 'Bank Fees' }, { name: 'Differences' }],
  },
];

const REGULARS: readonly Regular[] = [
  [27, 1, 'Nordlicht GmbH', 'Salary Anna', 2950_00],
  [25, 1, 'Stadtwerke', 'Salary Ben', 2310_00],
  [10, 1, 'Familienkasse', 'Child Benefit', 255_00],
  [15, 1, 'Harbor Press, Inc.', 'Freelance', 620_00, { account: 'dollars', spreadPercent: 25 }],
  [20, 2, 'Nordlicht GmbH', 'Work Expenses', 160_00, { memo: 'Travel expenses paid back' }],
  [2, 1, 'Hausverwaltung Krüger', 'Rent', -1180_00],
  [5, 1, 'Stadtwerke', 'Electricity', -94_00],
  [5, 1, 'Fernwärme Nord', 'Heating', -118_00],
  [8, 1, 'Telekom', 'Internet & Phone', -69_90],
  [12, 1, 'Allianz', 'Insurance', -84_30],
  [3, 1, 'Kita Sonnenschein', 'Childcare', -280_00],
  [14, 1, 'Filmfreund', 'Subscriptions', -12_99, { account: 'visa' }],
  [18, 1, 'Tonspur', 'Subscriptions', -17_99, { account: 'visa' }],
  [21, 1, 'Cloud Locker', 'Subscriptions', -9_99, { account: 'dollars' }],
  [22, 1, 'Font Foundry', 'Subscriptions', -16_00, { account: 'dollars' }],
  [30, 3, 'Sparkasse', 'Bank Fees', -14_85],
  [9, 1, 'Bahn', 'Work Expenses', -78_00, { account: 'visa', spreadPercent: 40 }],
  [16, 7, 'Werkstatt Öztürk', 'Car Repairs', -340_00, { spreadPercent: 50 }],
  [11, 6, 'Ferienhaus Ærø', 'Holidays', -980_00, { spreadPercent: 20, memo: 'Deposit and rest' }],
];

const RESTAURANTS = 'Trattoria Da Nino, Sushi Kō, Imbiss am Markt, Biergarten, Pho 88';
const HOBBIES = 'Kletterhalle, Musikhaus, Gartencenter, Schwimmbad';

const PURCHASES: readonly Purchase[] = [
  ['Groceries', 8, 16_00, 300_00, 'REWE, Edeka, Lidl, Biomarkt, Wochenmarkt, Asia Shop'],
  ['Bakery', 4, 2_00, 28_00, 'Bäckerei Weiß, Brotzeit, Café Zoë', { inCash: true }],
  ['Eating Out', 4, 15_00, 135_00, RESTAURANTS, { label: 'With friends' }],
  ['Coffee', 6, 2_00, 19_00, 'Café Zoë, Kaffeerösterei, Station Kiosk', { inCash: true }],
  ['Transport', 4, 4_00, 46_00, 'Bahn, Stadtbus, Bike Share', { inCash: true, label: 'Work' }],
  ['Fuel', 2, 45_00, 95_00, 'Aral, Shell, Freie Tankstelle'],
  ['Household Goods', 3, 8_00, 140_00, 'dm, Baumarkt, IKEA, Haushaltswaren Lang'],
  ['Clothing', 1, 30_00, 300_00, 'Second Hand Luise, Schuhhaus Römer, Online Outlet'],
  ['Health', 1, 15_00, 140_00, 'Apotheke am Tor, Dr. Łukasz, Optiker', { label: 'Tax deductible' }],
  ['Gifts', 1, 15_00, 140_00, 'Buchhandlung Lesezeichen, Toy Box, Blumen Iris'],
  ['Cat', 1, 10_00, 90_00, 'Fressnapf, Tierarzt Dr. Sommer'],
  ['Hobbies', 2, 10_00, 130_00, HOBBIES, { inCash: true, label: 'With friends' }],
  ['Books', 1, 8_00, 55_00, 'Buchhandlung Lesezeichen, Antiquariat'],
  ['Snacks', 3, 2_00, 15_00, 'Station Kiosk, Eisdiele Capri, Vending Machine', { inCash: true }],
  ['Parking', 2, 1_50, 12_00, 'City Parking, Parkhaus Mitte', { inCash: true }],
];

export const HOUSEHOLD: Plan = {
  accounts: [
    { key: 'joint', name: 'Joint Account', type: 'checking', opening: 4412_55 },
    { key: 'wallet', name: 'Wallet', type: 'cash', opening: 85_00 },
    { key: 'visa', name: 'Visa Card', type: 'creditCard', opening: -614_20 },
    { key: 'rainy-day', name: 'Rainy Day', type: 'savings', opening: 5200_00 },
    { key: 'dollars', name: 'Dollar Account', type: 'checking', currency: 'USD', opening: 940_00 },
    { key: 'fund', name: 'Index Fund', type: 'otherAsset', onBudget: false, opening: 11_850_00 },
    { key: 'car-loan', name: 'Car Loan', type: 'autoLoan', onBudget: false, opening: -9400_00 },
  ],
  groups: [...ENVELOPES, ...OTHERS],
  restCategory: 'Emergency Fund',
  mainAccount: 'joint',
  wallet: 'wallet',
  cards: ['joint', 'visa', 'visa'],
  regulars: REGULARS,
  transfers: [
    [6, 1, 'joint', 'visa', null],
    [28, 1, 'joint', 'rainy-day', 450_00],
    [4, 1, 'joint', 'fund', 150_00, 'Investments'],
    [4, 1, 'joint', 'car-loan', 210_00, 'Car Loan'],
    [26, 3, 'dollars', 'joint', 1500_00],
  ],
  purchases: PURCHASES,
  memos: {
    Groceries: ['Weekend shop', 'For the barbecue', 'Milk, eggs, flour', 'Fruit & veg'],
    Bakery: ['Rolls', 'Birthday cake', 'Rye bread'],
    'Eating Out': ['Lunch with Mira', 'Anniversary', 'Pizza for everybody'],
    'Household Goods': ['Light bulbs', 'Shelf for the hall', 'Washing powder'],
    Clothing: ['Winter boots', 'School uniform', 'Returned one'],
    Gifts: ['For Grandma', 'Birthday of Jonas', '🎁'],
  },
  splits: {
    Groceries: ['Household Goods', 'Cat', 'Clothing', 'Health'],
    'Household Goods': ['Gifts', 'Hobbies'],
  },
};
