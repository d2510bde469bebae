// The household that the sample's two people share: what it has, earns and spends.
import { HOUSEHOLD_PURCHASES } from './household-purchases.ts';
import type { GroupPlan, Plan, Regular } from './plan.ts';

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
      { name: 'Groceries', monthly: 950_00 },
      { name: 'Bakery', monthly: 150_00 },
      { name: 'Eating Out', monthly: 330_00 },
      { name: 'Coffee', monthly: 110_00 },
      { name: 'Household Goods', monthly: 180_00 },
      { name: 'Transport', monthly: 120_00 },
      { name: 'Fuel', monthly: 160_00 },
      { name: 'Snacks', monthly: 85_00, carriesOver: true, isLater: true },
      { name: 'Parking', monthly: 45_00, note: 'Only the city', isLater: true },
    ],
  },
  {
    name: 'Family',
    mode: 'envelope',
    categories: [
      { name: 'Childcare', monthly: 280_00 },
      { name: 'Clothing', monthly: 170_00 },
      { name: 'Health', monthly: 90_00 },
      { name: 'Gifts', monthly: 90_00 },
      { name: 'Cat', monthly: 75_00, note: 'Vaccination in October' },
    ],
  },
  {
    name: 'Fun',
    mode: 'envelope',
    categories: [
      { name: 'Hobbies', monthly: 150_00 },
      { name: 'Subscriptions', monthly: 60_00 },
      { name: 'Books', monthly: 50_00 },
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
  { day: 27, payee: 'Nordlicht GmbH', category: 'Salary Anna', amount: 2950_00 },
  { day: 25, payee: 'Stadtwerke', category: 'Salary Ben', amount: 2310_00 },
  { day: 10, payee: 'Familienkasse', category: 'Child Benefit', amount: 255_00 },
  {
    day: 15,
    payee: 'Harbor Press, Inc.',
    category: 'Freelance',
    account: 'dollars',
    amount: 620_00,
    spreadPercent: 25,
  },
  {
    day: 20,
    everyMonths: 2,
    payee: 'Nordlicht GmbH',
    category: 'Work Expenses',
    amount: 160_00,
    memo: 'Travel expenses paid back',
  },
  { day: 2, payee: 'Hausverwaltung Krüger', category: 'Rent', amount: -1180_00 },
  { day: 5, payee: 'Stadtwerke', category: 'Electricity', amount: -94_00 },
  { day: 5, payee: 'Fernwärme Nord', category: 'Heating', amount: -118_00 },
  { day: 8, payee: 'Telekom', category: 'Internet & Phone', amount: -69_90 },
  { day: 12, payee: 'Allianz', category: 'Insurance', amount: -84_30 },
  { day: 3, payee: 'Kita Sonnenschein', category: 'Childcare', amount: -280_00 },
  { day: 14, payee: 'Filmfreund', category: 'Subscriptions', account: 'visa', amount: -12_99 },
  { day: 18, payee: 'Tonspur', category: 'Subscriptions', account: 'visa', amount: -17_99 },
  { day: 21, payee: 'Cloud Locker', category: 'Subscriptions', account: 'dollars', amount: -9_99 },
  { day: 22, payee: 'Font Foundry', category: 'Subscriptions', account: 'dollars', amount: -16_00 },
  { day: 30, everyMonths: 3, payee: 'Sparkasse', category: 'Bank Fees', amount: -14_85 },
  {
    day: 9,
    payee: 'Bahn',
    category: 'Work Expenses',
    account: 'visa',
    amount: -78_00,
    spreadPercent: 40,
  },
  {
    day: 16,
    everyMonths: 7,
    payee: 'Werkstatt Öztürk',
    category: 'Car Repairs',
    amount: -340_00,
    spreadPercent: 50,
  },
  {
    day: 11,
    everyMonths: 6,
    payee: 'Ferienhaus Ærø',
    category: 'Holidays',
    amount: -980_00,
    spreadPercent: 20,
    memo: 'Deposit and rest',
  },
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
    { day: 6, from: 'joint', to: 'visa', amount: null },
    { day: 28, from: 'joint', to: 'rainy-day', amount: 450_00 },
    { day: 4, from: 'joint', to: 'fund', amount: 150_00, category: 'Investments' },
    { day: 4, from: 'joint', to: 'car-loan', amount: 210_00, category: 'Car Loan' },
    { day: 26, everyMonths: 3, from: 'dollars', to: 'joint', amount: 1500_00 },
  ],
  purchases: HOUSEHOLD_PURCHASES,
};
