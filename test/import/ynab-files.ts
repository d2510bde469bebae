// A YNAB export as text, in the columns that YNAB writes.
import { Buffer } from 'node:buffer';
import type { NamedFile } from '../../src/import/read-files.ts';

/** Account, flag, date, payee, category group, category, memo, outflow, inflow, cleared. */
export type RegisterCells = readonly [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
/** Month, category group, category, assigned, activity, available. */
export type PlanCells = readonly [string, string, string, string, string, string];

const REGISTER =
  '"Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo","Outflow","Inflow","Cleared"';
const PLAN =
  '"Month","Category Group/Category","Category Group","Category","Assigned","Activity","Available"';

export function registerFile(rows: readonly RegisterCells[], header = REGISTER): NamedFile {
  const lines = rows.map(([account, flag, date, payee, group, category, ...rest]) =>
    cells([account, flag, date, payee, both(group, category), group, category, ...rest]),
  );
  return file('Home as of 2026-03-31 09-15 - Register.csv', [header, ...lines]);
}

export function planFile(lines: readonly PlanCells[], header = PLAN): NamedFile {
  const texts = lines.map(([month, group, category, ...rest]) =>
    cells([month, both(group, category), group, category, ...rest]),
  );
  return file('Home as of 2026-03-31 09-15 - Plan.csv', [header, ...texts]);
}

function both(group: string, category: string): string {
  return group === '' ? '' : `${group}: ${category}`;
}

function cells(values: readonly string[]): string {
  return values.map(value => `"${value.replaceAll('"', '""')}"`).join(',');
}

function file(name: string, lines: readonly string[]): NamedFile {
  return { name, bytes: Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`) };
}

/** Two months of a person; the last three columns of the plan are YNAB's own figures. */
export const REGISTER_ROWS: readonly RegisterCells[] = [
  [
    'House',
    '',
    '02/20/2026',
    'Reconciliation Balance Adjustment',
    '',
    '',
    '',
    '$0.00',
    '$500.00',
    'Reconciled',
  ],
  [
    'Checking',
    'Red',
    '02/18/2026',
    'Market "Hall"',
    'Daily',
    'Food',
    'Split (1/2) bread, cheese',
    '$60.00',
    '$0.00',
    'Uncleared',
  ],
  [
    'Checking',
    '',
    '02/18/2026',
    'Transfer : House',
    'Bills',
    'Mortgage',
    'Split (2/2) ',
    '$40.00',
    '$0.00',
    'Uncleared',
  ],
  ['House', '', '02/18/2026', 'Transfer : Checking', '', '', '', '$0.00', '$40.00', 'Uncleared'],
  [
    'Checking',
    '',
    '02/01/2026',
    'Employer',
    'Inflow',
    'Ready to Assign',
    '',
    '$0.00',
    '$1,000.00',
    'Cleared',
  ],
  [
    'Savings',
    '',
    '01/25/2026',
    'Transfer : Checking',
    '',
    '',
    'later',
    '$0.00',
    '$250.00',
    'Cleared',
  ],
  [
    'Checking',
    '',
    '01/25/2026',
    'Transfer : Savings',
    '',
    '',
    'later',
    '$250.00',
    '$0.00',
    'Cleared',
  ],
  [
    'Checking',
    'Red',
    '01/17/2026',
    'Market "Hall"',
    'Daily',
    'Food',
    '',
    '$345.00',
    '$0.00',
    'Reconciled',
  ],
  [
    'Checking',
    '',
    '01/15/2026',
    'Bike shop',
    'Hidden Categories',
    'Bike',
    '',
    '$20.00',
    '$0.00',
    'Reconciled',
  ],
  ['House', '', '01/01/2026', 'Starting Balance', '', '', '', '$0.00', '$150,000.00', 'Reconciled'],
  [
    'Checking',
    '',
    '01/01/2026',
    'Starting Balance',
    'Inflow',
    'Ready to Assign',
    '',
    '$0.00',
    '$2,000.00',
    'Reconciled',
  ],
];

export const PLAN_LINES: readonly PlanCells[] = [
  ['Jan 2026', 'Daily', 'Food', '$300.00', '-$345.00', '-$45.00'],
  ['Jan 2026', 'Bills', 'Mortgage', '$500.00', '$0.00', '$500.00'],
  ['Jan 2026', 'Hidden Categories', 'Bike', '$20.00', '-$20.00', '$0.00'],
  ['Feb 2026', 'Daily', 'Food', '$100.00', '-$60.00', '$40.00'],
  ['Feb 2026', 'Bills', 'Mortgage', '$0.00', '-$40.00', '$460.00'],
  ['Feb 2026', 'Hidden Categories', 'Bike', '$0.00', '$0.00', '$0.00'],
];

/** A row of the register without a fault. */
export const GOOD: RegisterCells = [
  'Bank',
  '',
  '31/01/2026',
  'x',
  'Daily',
  'Food',
  '',
  '$5.00',
  '$0.00',
  'Cleared',
];
/** Returns it with another text in one cell. */
export const edited = (at: number, text: string) =>
  GOOD.map((cell, index) => (index === at ? text : cell)) as unknown as RegisterCells;
