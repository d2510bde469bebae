// Reads YNAB's JSON: the body that its API answers for one budget (`/budgets/{id}`), saved to a file.
import { isUtf8 } from 'node:buffer';
import { UserError } from '../../process/errors.ts';
import { checkAt, createAjv, describeErrors } from '../../process/validation.ts';
import { checkJsonSize } from '../bounded.ts';
import { ROWS_MAX } from '../plan.ts';
import type { NamedFile } from '../read-files.ts';

interface Thing {
  readonly id: string;
  readonly deleted?: boolean;
}

interface NamedThing extends Thing {
  readonly name: string;
}

export interface YnabAccount extends NamedThing {
  readonly type: string;
  readonly on_budget: boolean;
  readonly closed: boolean;
  /** Amounts are in thousandths. */
  readonly balance: number;
}

export interface YnabGroup extends NamedThing {
  readonly hidden: boolean;
}

export interface YnabCategory extends NamedThing {
  readonly category_group_id: string;
  readonly hidden: boolean;
  readonly note?: string | null;
}

export interface YnabPayee extends NamedThing {
  readonly transfer_account_id?: string | null;
}

interface Booking extends Thing {
  readonly amount: number;
  readonly memo?: string | null;
  readonly payee_id?: string | null;
  readonly category_id?: string | null;
  readonly transfer_account_id?: string | null;
}

export interface YnabTransaction extends Booking {
  readonly date: string;
  readonly account_id: string;
  readonly cleared: string;
  readonly flag_color?: string | null;
  readonly flag_name?: string | null;
}

/** A leg of a split. */
export interface YnabLeg extends Booking {
  readonly transaction_id: string;
}

export interface YnabMonth {
  /** The first day of the month. */
  readonly month: string;
  readonly deleted?: boolean;
  readonly categories: readonly (Thing & {
    readonly budgeted: number;
    readonly activity: number;
  })[];
}

export interface YnabBudget {
  readonly id: string;
  readonly name: string;
  readonly currency_format?: { readonly iso_code: string } | null;
  readonly accounts: readonly YnabAccount[];
  readonly payees: readonly YnabPayee[];
  readonly category_groups: readonly YnabGroup[];
  readonly categories: readonly YnabCategory[];
  readonly months: readonly YnabMonth[];
  readonly transactions: readonly YnabTransaction[];
  readonly subtransactions: readonly YnabLeg[];
  readonly scheduled_transactions?: readonly Thing[];
}

const TEXT = { type: 'string' } as const;
const TEXT_OR_NULL = { type: ['string', 'null'] } as const;
const FLAG = { type: 'boolean' } as const;
const AMOUNT = {
  type: 'integer',
  minimum: -Number.MAX_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
} as const;

function listOf(required: object, optional: object = {}) {
  const properties = { id: TEXT, ...required, deleted: FLAG, ...optional };
  const items = { type: 'object', required: ['id', ...Object.keys(required)], properties };
  return { type: 'array', items, maxItems: ROWS_MAX };
}

const BOOKING = {
  memo: TEXT_OR_NULL,
  payee_id: TEXT_OR_NULL,
  category_id: TEXT_OR_NULL,
  transfer_account_id: TEXT_OR_NULL,
};

const LISTS = {
  accounts: listOf({ name: TEXT, type: TEXT, on_budget: FLAG, closed: FLAG, balance: AMOUNT }),
  payees: listOf({ name: TEXT }, { transfer_account_id: TEXT_OR_NULL }),
  category_groups: listOf({ name: TEXT, hidden: FLAG }),
  categories: listOf({ name: TEXT, category_group_id: TEXT, hidden: FLAG }, { note: TEXT_OR_NULL }),
  months: {
    type: 'array',
    items: {
      type: 'object',
      required: ['month', 'categories'],
      properties: {
        month: { type: 'string', pattern: '^\\d{4}-\\d{2}-01$' },
        deleted: FLAG,
        categories: listOf({ budgeted: AMOUNT, activity: AMOUNT }),
      },
    },
  },
  transactions: listOf(
    {
      amount: AMOUNT,
      date: { type: 'string', format: 'calendar-date' },
      account_id: TEXT,
      cleared: { type: 'string', enum: ['cleared', 'uncleared', 'reconciled'] },
    },
    { ...BOOKING, flag_color: TEXT_OR_NULL, flag_name: TEXT_OR_NULL },
  ),
  subtransactions: listOf({ amount: AMOUNT, transaction_id: TEXT }, BOOKING),
};

const SCHEMA = {
  type: 'object',
  required: ['id', 'name', ...Object.keys(LISTS)],
  properties: {
    id: TEXT,
    name: TEXT,
    currency_format: {
      type: ['object', 'null'],
      required: ['iso_code'],
      properties: { iso_code: TEXT },
    },
    ...LISTS,
    scheduled_transactions: listOf({}),
  },
};

const SCHEMA_PATH = 'import/ynab-json';

/** @throws UserError that names the first value that is not as YNAB writes it */
export function parseYnabJson({ name, bytes }: NamedFile): YnabBudget {
  checkJsonSize({ name, bytes });
  const budget = budgetIn(parse(bytes, name));
  const ajv = createAjv({ allErrors: false });
  ajv.addSchema(SCHEMA, SCHEMA_PATH);
  const check = checkAt<YnabBudget>(ajv, SCHEMA_PATH);
  if (check(budget)) return budget;
  throw new UserError(`${name}: ${describeErrors(check.errors, { root: 'budget' })}`);
}

function parse(bytes: Buffer, name: string): unknown {
  if (!isUtf8(bytes)) throw new UserError(`${name}: Expected text in UTF-8, got other bytes`);
  try {
    // The decoder drops a byte order mark.
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new UserError(`${name}: Expected JSON, got other text`, { cause: error });
  }
}

/** The API wraps the budget twice, which newer paths call a plan; a file may have it unwrapped. */
function budgetIn(body: unknown): unknown {
  const data = fieldOf(body, 'data') ?? body;
  return fieldOf(data, 'budget') ?? fieldOf(data, 'plan') ?? data;
}

function fieldOf(value: unknown, field: string): unknown {
  return value instanceof Object ? Reflect.get(value, field) : undefined;
}
