// Histories to measure with: the same in each run, generated one event at a time so that long ones need no memory.
import type { NewRecord } from '../../src/event-log/event-log.ts';

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
  /** Percentage of rows in the first account and in one category; the others are spread over all. Default 0. */
  readonly skew?: number;
}

const ACCOUNTS = 8;
const GROUPS = 8;
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
/** Occurs in the memo of RARE_ROWS rows, spread over the whole history. */
export const RARE_WORD = 'Zanzibar';
const RARE_ROWS = 5;

type Data = Readonly<Record<string, unknown>>;

/** Yields every event of a space and of its budget, in order. */
export function* history(options: HistoryOptions): Generator<NewRecord> {
  const { budgetId, spaceId, user, events, changed = 0, deleted = 0, assigned = 0 } = options;
  const skew = options.skew ?? 0;
  const space = stream(spaceId);
  yield space('space.created', { name: `Space ${spaceId}` });
  yield space('space.member-added', { userId: user });
  const budget = stream(budgetId);
  yield* catalogue(budget, spaceId, budgetId);
  const random = createRandom(budgetId);
  const recent: string[] = [];
  let entered = 0;
  for (let index = 0; index < events; index += 1) {
    const day = dayAt(index, events);
    const turn = random(100);
    if (turn < changed && recent.length > 0) {
      const transactionId = recent[random(recent.length)] ?? '';
      yield budget('transaction.changed', { ...row(random, day, skew), transactionId });
    } else if (turn >= changed && turn < changed + deleted && recent.length > RECENT / 2) {
      const [transactionId = ''] = recent.splice(random(recent.length), 1);
      yield budget('transaction.deleted', { transactionId });
    } else if (turn >= 100 - assigned) {
      const categoryId = `category-${1 + random(CATEGORIES - 1)}`;
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
      const memo = isRare ? { memo: `Journey to ${RARE_WORD}` } : {};
      yield budget('transaction.entered', {
        ...row(random, day, skew),
        ...memo,
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
export function stream(subject: string, first = 1): (type: string, data: Data) => NewRecord {
  let sequence = first - 1;
  return (type, data) => {
    sequence += 1;
    const event = {
      specversion: '1.0',
      id: `${subject}:${sequence}`,
      source: 'bench',
      type,
      subject,
      time: new Date(FIRST_DAY_MS + sequence * 1000).toISOString(),
      datacontenttype: 'application/json',
      sequence,
      schemaversion: 1,
      data,
    };
    return { key: subject, value: JSON.stringify(event) };
  };
}

function* catalogue(
  budget: ReturnType<typeof stream>,
  spaceId: string,
  budgetId: string,
): Generator<NewRecord> {
  yield budget('budget.created', { spaceId, name: `Budget ${budgetId}`, currency: 'EUR' });
  for (let i = 0; i < ACCOUNTS; i += 1) {
    const account = { accountId: `account-${i}`, name: `Account ${i}`, type: 'checking' };
    yield budget('account.opened', { ...account, onBudget: true, currency: null, position: i });
  }
  for (let i = 0; i < GROUPS; i += 1) {
    const budgetMode = i === 0 ? 'income' : 'envelope';
    const group = { groupId: `group-${i}`, name: `Group ${i}`, budgetMode, position: i };
    yield budget('category-group.added', group);
  }
  for (let i = 0; i < CATEGORIES; i += 1) {
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

function row(random: (below: number) => number, date: string, skew: number): Data {
  const isSkewed = random(100) < skew;
  return {
    date,
    accountId: `account-${isSkewed ? 0 : random(ACCOUNTS)}`,
    payeeId: `payee-${random(PAYEES)}`,
    categoryId: `category-${isSkewed ? 1 : random(CATEGORIES)}`,
    memo: random(3) === 0 ? `Bought ${random(1000)} things` : '',
    amount: `-${amount(random)}`,
    type: 'standard',
    cleared: random(10) > 0,
    reconciled: false,
    labelIds: random(10) === 0 ? [`label-${random(LABELS)}`] : [],
  };
}

function amount(random: (below: number) => number): string {
  return `${1 + random(200)}.${String(random(100)).padStart(2, '0')}`;
}

/** Returns the date of an event: dates grow with the index, so rows are entered in the order of their dates. */
function dayAt(index: number, count: number): string {
  const day = Math.floor((index * DAYS) / count);
  return new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
}

/** Returns a function for whole numbers below a bound, the same ones for the same seed (mulberry32). */
function createRandom(seed: string): (below: number) => number {
  let state = [...seed].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 7);
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}
