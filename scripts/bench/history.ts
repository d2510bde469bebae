// Histories to measure with: the same in each run, generated one event at a time so that long ones need no memory.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { NewRecord } from '../../src/event-log/event-log.ts';
import {
  createEventBuilder,
  type DataOf,
  type EventType,
} from '../../src/process/event-builder.ts';
import { createRandom, type Random } from '../../src/process/random.ts';

export interface HistoryOptions {
  readonly budgetId: string;
  readonly spaceId: string;
  readonly user: string;
  /** Events about transactions. */
  readonly events: number;
  /** Percentage of these events that change a row. Default 0. */
  readonly changed?: number;
  /** Percentage of these events that delete a row. Default 0. */
  readonly deleted?: number;
  /** Percentage of these events that assign money to an envelope instead. Default 0. */
  readonly assigned?: number;
  /**
   * Percentage of rows in the first account and in one category, with the first payee and, where they carry one, the
   * first label; the others are spread over all. Default 0.
   */
  readonly skew?: number;
  /** Number of categories, the first of them for income. Default 40. */
  readonly categories?: number;
  /** Whether money is assigned to each envelope in each month besides. Default false. */
  readonly isFunded?: boolean;
}

const ACCOUNTS = 8;
const GROUPS = 8;
/** Default number. */
const CATEGORIES = 40;
const PAYEES = 100;
const LABELS = 5;
/** Number of events of a budget and its space before the first event about a transaction. */
export const CATALOGUE_EVENTS = 3 + ACCOUNTS + GROUPS + CATEGORIES + PAYEES + LABELS;
const FIRST_DAY_MS = Date.UTC(2016, 0, 1);
const DAYS = 10 * 365;
const DAY_MS = 86_400_000;
/** Only this many rows, the last entered, are changed or deleted. */
const RECENT = 300;
/** Occurs in the memo of RARE_ROWS rows, spread over the whole history, which have an amount of their own. */
export const RARE_WORD = 'Zanzibar';
const RARE_AMOUNT = '-5000.00';
const RARE_ROWS = 5;

type Send = <T extends EventType>(type: T, data: DataOf<T>) => NewRecord;

/** Yields every event of a space and of its budget, in order. */
export function* history(options: HistoryOptions): Generator<NewRecord> {
  const { budgetId, spaceId, user, events, changed = 0, deleted = 0, assigned = 0 } = options;
  const space = stream(spaceId);
  yield space('space.created', { name: `Space ${spaceId}` });
  yield space('space.member-added', { userId: user });
  const budget = stream(budgetId);
  const { skew = 0, categories = CATEGORIES, isFunded = false } = options;
  const rowOptions = { skew, categories };
  yield* catalogue(budget, { spaceId, budgetId, categories });
  const random = createRandom(hashOf(budgetId));
  const recent: string[] = [];
  let entered = 0;
  let funded = '';
  for (let index = 0; index < events; index += 1) {
    const day = dayAt(index, events);
    if (isFunded && funded !== day.slice(0, 7)) {
      funded = day.slice(0, 7);
      yield* fund(budget, funded, categories);
    }
    const turn = random.below(100);
    if (turn < changed && recent.length > 0) {
      const transactionId = recent[random.below(recent.length)] ?? '';
      yield budget('transaction.changed', { ...row(random, day, rowOptions), transactionId });
    } else if (turn >= changed && turn < changed + deleted && recent.length > RECENT / 2) {
      const [transactionId = ''] = recent.splice(random.below(recent.length), 1);
      yield budget('transaction.deleted', { transactionId });
    } else if (turn >= 100 - assigned) {
      const categoryId = `category-${1 + random.below(categories - 1)}`;
      yield budget('envelope.assigned', {
        month: day.slice(0, 7),
        categoryId,
        amount: amount(random),
      });
    } else {
      entered += 1;
      const transactionId = `row-${entered}`;
      recent.push(transactionId);
      if (recent.length > RECENT) recent.shift();
      const isRare = index % Math.ceil(events / RARE_ROWS) === 0;
      const rare = isRare ? { memo: `Journey to ${RARE_WORD}`, amount: RARE_AMOUNT } : {};
      yield budget('transaction.entered', {
        ...row(random, day, rowOptions),
        ...rare,
        transactionId,
      });
    }
  }
}

/** Yields the events of several histories, one of each in turn. */
export function* interleaved(histories: Iterable<Generator<NewRecord>>): Generator<NewRecord> {
  let open = [...histories];
  while (open.length > 0) {
    const still: Generator<NewRecord>[] = [];
    for (const one of open) {
      const { done, value } = one.next();
      if (done) continue;
      yield value;
      still.push(one);
    }
    open = still;
  }
}

/** Returns a function that makes the events of one stream, with sequences from `first` on. */
export function stream(subject: string, first = 1): Send {
  const build = createEventBuilder({ subject, source: 'bench', first });
  let seconds = first - 1;
  return (type, data) => {
    seconds += 1;
    const time = new Date(FIRST_DAY_MS + seconds * 1000).toISOString();
    return { key: subject, value: JSON.stringify(build(type, data, time)) };
  };
}

/** Yields the events that assign money to each envelope in a month. */
function* fund(budget: Send, month: string, categories: number): Generator<NewRecord> {
  for (let i = 1; i < categories; i += 1) {
    yield budget('envelope.assigned', { month, categoryId: `category-${i}`, amount: `${i}.00` });
  }
}

interface CatalogueOptions {
  readonly spaceId: string;
  readonly budgetId: string;
  readonly categories: number;
}

function* catalogue(
  budget: Send,
  { spaceId, budgetId, categories }: CatalogueOptions,
): Generator<NewRecord> {
  yield budget('budget.created', { spaceId, name: `Budget ${budgetId}`, currency: 'EUR' });
  for (let i = 0; i < ACCOUNTS; i += 1) {
    const account = { accountId: `account-${i}`, name: `Account ${i}`, position: i };
    yield budget('account.opened', {
      ...account,
      type: 'checking',
      onBudget: true,
      currency: null,
    });
  }
  for (let i = 0; i < GROUPS; i += 1) {
    const budgetMode = i === 0 ? 'income' : 'envelope';
    const group = { groupId: `group-${i}`, name: `Group ${i}`, position: i };
    yield budget('category-group.added', { ...group, budgetMode });
  }
  for (let i = 0; i < categories; i += 1) {
    const groupId = `group-${i === 0 ? 0 : 1 + (i % (GROUPS - 1))}`;
    const category = { categoryId: `category-${i}`, groupId, name: `Category ${i}`, position: i };
    yield budget('category.added', category);
  }
  for (let i = 0; i < PAYEES; i += 1) {
    yield budget('payee.added', { payeeId: `payee-${i}`, name: `Shop number ${i}` });
  }
  for (let i = 0; i < LABELS; i += 1) {
    yield budget('label.added', { labelId: `label-${i}`, name: `Label ${i}` });
  }
}

function row(
  random: Random,
  date: string,
  { skew, categories }: { readonly skew: number; readonly categories: number },
): Omit<TransactionEntered, 'transactionId'> {
  const isSkewed = random.below(100) < skew;
  return {
    date,
    accountId: `account-${isSkewed ? 0 : random.below(ACCOUNTS)}`,
    payeeId: `payee-${isSkewed ? 0 : random.below(PAYEES)}`,
    categoryId: `category-${isSkewed ? 1 : random.below(categories)}`,
    memo: random.below(3) === 0 ? `Bought ${random.below(1000)} things` : '',
    amount: `-${amount(random)}`,
    type: 'standard',
    cleared: random.below(10) > 0,
    reconciled: false,
    labelIds: random.below(10) === 0 ? [`label-${isSkewed ? 0 : random.below(LABELS)}`] : [],
  };
}

function amount(random: Random): string {
  return `${1 + random.below(200)}.${String(random.below(100)).padStart(2, '0')}`;
}

/** Returns the date of an event: dates grow with the index, so rows are entered in the order of their dates. */
function dayAt(index: number, count: number): string {
  const day = Math.floor((index * DAYS) / count);
  return new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);
}
