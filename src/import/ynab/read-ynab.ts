// Reads Register.csv and Plan.csv of a YNAB export, with parsed amounts, dates and months.
import type { Hundredths } from '../../../projections/documents.ts';
import { shown } from '../../process/printable.ts';
import { createImportProblems, type ImportProblems } from '../import-problems.ts';
import type { NamedFile } from '../read-files.ts';
import {
  type AmountFormat,
  type DateOrder,
  detectAmounts,
  detectDateOrder,
  readAmount,
  readDate,
  readMonth,
  WHOLE_DIGITS_MAX,
} from './amounts-and-dates.ts';
import { readTable, type TableLine } from './read-table.ts';

const CATEGORY = ['Category Group', 'Category'] as const;
const REGISTER = [
  'Account',
  'Flag',
  'Date',
  'Payee',
  'Memo',
  'Outflow',
  'Inflow',
  'Cleared',
] as const;
const PLAN = ['Month', 'Assigned', 'Activity'] as const;

interface InCategory {
  readonly origin: string;
  /** Empty, like `category`, if the row has no category. */
  readonly group: string;
  readonly category: string;
}

export interface RegisterRow extends InCategory {
  readonly account: string;
  readonly flag: string;
  readonly date: string;
  readonly payee: string;
  readonly memo: string;
  readonly amount: Hundredths;
  readonly cleared: string;
}

export interface PlanLine extends InCategory {
  readonly month: string;
  readonly assigned: Hundredths;
  readonly activity: Hundredths;
}

export interface YnabExport {
  readonly dateOrder: DateOrder;
  /** In the order of the register. */
  readonly rows: readonly RegisterRow[];
  readonly lines: readonly PlanLine[];
}

/** @throws UserError that lists all values that could not be parsed */
export function readYnab(
  register: NamedFile,
  plan: NamedFile,
  dateOrder: DateOrder | null,
): YnabExport {
  const rows = readTable(register, [...REGISTER, ...CATEGORY]);
  const lines = readTable(plan, [...PLAN, ...CATEGORY]);
  const problems = createImportProblems();
  const order = dateOrder ?? detectDateOrder(rows.map(({ Date: date }) => date));
  if (order === null) {
    const got = `dates such as ${shown(rows[0]?.Date ?? '')}, which could be read either way`;
    problems.add(register.name, `Expected --date-format DMY or MDY, got none and ${got}`);
  }
  problems.throwIfAny();
  const known = order ?? 'YMD';
  const texts = [
    ...rows.flatMap(({ Outflow, Inflow }) => [Outflow, Inflow]),
    ...lines.flatMap(({ Assigned, Activity }) => [Assigned, Activity]),
  ];
  const parse = createParser(detectAmounts(texts), known, problems);
  const result = { dateOrder: known, rows: rows.map(parse.row), lines: lines.map(parse.line) };
  problems.throwIfAny();
  return result;
}

function createParser(format: AmountFormat, order: DateOrder, problems: ImportProblems) {
  const amount = (origin: string, text: string): Hundredths => {
    const parsed = readAmount(text, format);
    if (parsed === null)
      problems.add(origin, `Expected ${describeFormat(format)}, got ${shown(text)}`);
    return parsed ?? 0;
  };
  const inCategory = (line: TableLine<'Category Group' | 'Category'>) => ({
    origin: line.origin,
    group: line['Category Group'],
    category: line.Category,
  });
  return {
    row(line: TableLine<(typeof REGISTER)[number] | (typeof CATEGORY)[number]>): RegisterRow {
      const date = readDate(line.Date, order);
      const dates =
        order === 'YMD' ? 'YYYY-MM-DD' : { DMY: 'DD/MM/YYYY', MDY: 'MM/DD/YYYY' }[order];
      if (date === null) {
        problems.add(line.origin, `Expected a date like ${dates}, got ${shown(line.Date)}`);
      }
      return {
        ...inCategory(line),
        account: line.Account,
        flag: line.Flag,
        date: date ?? '',
        payee: line.Payee,
        memo: line.Memo,
        amount: amount(line.origin, line.Inflow) - amount(line.origin, line.Outflow),
        cleared: line.Cleared,
      };
    },
    line(line: TableLine<(typeof PLAN)[number] | (typeof CATEGORY)[number]>): PlanLine {
      const month = readMonth(line.Month);
      if (month === null) {
        problems.add(line.origin, `Expected a month like Jan 2026, got ${shown(line.Month)}`);
      }
      return {
        ...inCategory(line),
        month: month ?? '',
        assigned: amount(line.origin, line.Assigned),
        activity: amount(line.origin, line.Activity),
      };
    },
  };
}

function describeFormat({ mark, decimals }: AmountFormat): string {
  if (decimals === 0)
    return `a whole amount of at most ${WHOLE_DIGITS_MAX} digits, as the rest of the export has`;
  const last = decimals === 3 ? ', the last of them 0' : '';
  return `an amount with at most ${WHOLE_DIGITS_MAX} digits before "${mark}" and ${decimals} after it${last}, as the rest of the export has`;
}
