// Plays a random history on the whole system and compares every answer with that of an independent model of the specification.
import type { ExecutionContext } from 'ava';
import { retryHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import { CHANGED_ROWS_MAX } from '../../src/projector/projector.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { type HistoryEntry, type HistoryOptions, randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import { createRandom, type Random } from '../histories/random.ts';
import type { TransactionFilters } from '../model/answers.ts';
import { createModel, type Model } from '../model/model.ts';
import { allPages } from './all-pages.ts';
import { namesAndRows } from './names-and-rows.ts';
import { overTime } from './over-time.ts';
import { type RunningSystem, startSystem } from './running-system.ts';
import { sumQuestions } from './sum-questions.ts';

const LIMITS = { rowsMax: CHANGED_ROWS_MAX };
const now = () => new Date(`${HISTORY_TODAY}T12:00:00Z`);

export interface PlayOptions extends Omit<HistoryOptions, 'budgets' | 'spaces' | 'users'> {
  /** Answers are compared each time that so many more events are projected, and at the end. */
  readonly step: number;
}

export async function answersOfModel(
  t: ExecutionContext,
  mongo: TestMongo,
  { step, ...options }: PlayOptions,
): Promise<void> {
  const history = randomHistory({ ...options, budgets: 3, spaces: 2, users: 3 });
  const system = await startSystem(mongo, { now, recordsMax: 97 });
  try {
    const random = createRandom(options.seed);
    const model = createModel({ followsChanges: true });
    const cursors: Cursors = new Map();
    for (let from = 0; from < history.length; from += step) {
      await deliver(system, model, history.slice(from, from + step));
      await compare(t, system, { model, random, cursors });
    }
    // Otherwise the answers are those of the last step.
    if (await mend(t, system, model)) await compare(t, system, { model, random, cursors });
  } finally {
    await system.stop();
  }
}

async function deliver(
  system: RunningSystem,
  model: Model,
  entries: readonly HistoryEntry[],
): Promise<void> {
  for (const { event, isSchemaValid } of entries) {
    model.deliver(event, { schemaValid: isSchemaValid });
  }
  await system.append(entries.map(({ event }) => event));
  await system.projected();
}

/** An operator retries, which changes nothing, and then skips until no stream is held. Returns whether any was. */
async function mend(t: ExecutionContext, system: RunningSystem, model: Model): Promise<boolean> {
  let hasMended = false;
  for (const { subject } of model.held()) {
    const isGap = model.held().find(held => held.subject === subject)?.refusal === null;
    if (isGap) continue;
    const before = model.position(subject);
    const head = await retryHeld(system.store, subject, LIMITS);
    t.is(head.sequence, before);
    while (model.held().some(held => held.subject === subject && held.refusal !== null)) {
      hasMended = true;
      model.skip(subject);
      await skipHeld(system.store, subject, { missing: false, limits: LIMITS, now: now() });
    }
  }
  return hasMended;
}

/** Of the last page of /changes, by user and budget, with its position. */
type Cursors = Map<string, { cursor: string; position: number }>;

interface Compared {
  model: Model;
  random: Random;
  cursors: Cursors;
}

async function compare(
  t: ExecutionContext,
  system: RunningSystem,
  { model, random, cursors }: Compared,
): Promise<void> {
  for (const user of [...model.users(), 'stranger']) {
    const { token } = await system.tokens.issue({ owner: user }, now());
    const answers = model.answers(user, { today: HISTORY_TODAY });
    const same = async (path: string, expected: object | null, budget: string | null) => {
      const response = await system.get(path, token);
      const body = await response.json();
      t.is(response.status, expected === null ? 404 : 200, path);
      if (expected === null || budget === null) {
        if (expected !== null) t.deepEqual(body, expected, path);
        return;
      }
      t.deepEqual(body, expected, `${user} ${path}`);
      const position = response.headers.get('x-projection-position');
      t.is(position, String(answers.position(budget)), path);
      t.is(response.headers.get('x-projection-parked-since'), answers.parkedSince(budget), path);
    };
    await same('/budgets', answers.budgets(), null);
    for (const budget of [...model.budgetIds(), 'no-such-budget']) {
      const at = (path: string, query = '') => `${path}?budget_id=${budget}${query}`;
      await same(at('/accounts'), answers.accounts(budget), budget);
      await same(at('/payees'), answers.payees(budget), budget);
      await same(
        at('/labels', '&limit=3&offset=1'),
        answers.labels(budget, { limit: 3, offset: 1 }),
        budget,
      );
      await same(at('/categories'), answers.categories(budget), budget);
      const hidden = answers.categories(budget, { include_hidden: true });
      await same(at('/categories', '&include_hidden=true'), hidden, budget);
      for (const filters of filtersOf(answers.transactions(budget), random)) {
        const query = Object.entries(filters).map(
          ([name, value]) => `&${name}=${encodeURIComponent(value)}`,
        );
        await same(
          at('/transactions', query.join('')),
          answers.transactions(budget, filters),
          budget,
        );
      }
      for (const month of [
        '0001-01',
        '2025-06',
        '9999-12',
        ...monthsOf(answers.transactions(budget), random),
      ]) {
        await same(at(`/months/${month}`), answers.month(budget, month), budget);
      }
      const get = (path: string) => system.get(path, token);
      const known = `${user} ${budget}`;
      for (const from of [null, cursors.get(known) ?? null]) {
        const pages = await allPages(get, at('/changes'), from?.cursor ?? null);
        t.deepEqual(pages?.lists ?? null, answers.changes(budget, from?.position), known);
        if (pages === null) continue;
        const position = answers.position(budget) ?? 0;
        cursors.set(known, { cursor: pages.cursor, position });
      }
      const questions = [
        ...overTime(answers, budget, random),
        ...namesAndRows(answers, budget, random),
        ...sumQuestions(answers, budget, random),
      ];
      for (const [path, query, expected] of questions) {
        const parts = Object.entries(query).map(
          ([name, value]) => `&${name}=${encodeURIComponent(String(value))}`,
        );
        await same(at(path, parts.join('')), expected, budget);
      }
    }
  }
  for (const budget of model.budgetIds()) t.deepEqual(model.lawViolations(budget), []);
}

type Page = { transactions: readonly Served[] } | null;
interface Served {
  date: string;
  accountId: string;
  categoryId: string | null;
  payeeId: string | null;
  payeeName: string | null;
  type: string;
  amount: string;
  labels: readonly { id: string }[];
  memo: string;
}

// Questions about existing data: each filter alone, and some combinations.
function filtersOf(page: unknown, random: Random): TransactionFilters[] {
  const rows = (page as Page)?.transactions ?? [];
  if (rows.length === 0) return [{}];
  const row = random.pick(rows);
  const other = random.pick(rows);
  const [start_date = '', end_date = ''] = [row.date, other.date].sort();
  const account = { account_id: row.accountId };
  const category = row.categoryId === null ? {} : { category_id: row.categoryId };
  const search = {
    search: partOf(random.pick([row.memo, row.payeeName ?? 'x', 'a', 'é']), random),
  };
  const offset = random.below(rows.length + 2);
  const payee = row.payeeId === null ? {} : { payee_id: row.payeeId };
  const labelled = random.pick(rows.filter(({ labels }) => labels.length > 0).concat(row));
  const [label] = labelled.labels;
  const labels = label === undefined ? {} : { label_id: label.id };
  const { type } = other;
  const [min_amount = '', max_amount = ''] = [row.amount, other.amount].sort(
    (a, b) => Number(a) - Number(b),
  );
  return [
    {},
    { limit: 7, offset },
    { ...account, limit: 5, offset: random.below(30) },
    { ...category, limit: 5, offset: random.below(10) },
    { start_date, limit: 10, offset: random.below(20) },
    { start_date, end_date, offset: random.below(5) },
    { ...account, ...category, start_date },
    { ...account, end_date, limit: 3, offset: random.below(5) },
    search,
    { ...search, ...account, uncleared: random.chance(0.5) },
    { uncategorized: true },
    { uncategorized: false, limit: 20, offset: random.below(20) },
    { uncleared: true, limit: 20 },
    { uncleared: false, end_date, limit: 20 },
    { ...payee, limit: 5, offset: random.below(10) },
    { ...labels, limit: 5, offset: random.below(4) },
    { type, limit: 10, offset: random.below(10) },
    { min_amount, max_amount, limit: 10, offset: random.below(5) },
    { min_amount: row.amount, limit: 10, offset: random.below(20) },
    { max_amount: row.amount, start_date },
    { ...payee, ...account, max_amount },
    { ...labels, ...search, min_amount },
    { ...payee, ...category, type, start_date, end_date },
    { type: 'reconciliation', uncleared: random.chance(0.5) },
    { payee_id: random.pick([row.payeeId ?? 'null', row.accountId]), limit: 3 },
  ];
}

function partOf(text: string, random: Random): string {
  const letters = [...text];
  if (letters.length === 0) return 'nothing like it';
  const from = random.below(letters.length);
  return letters.slice(from, from + random.between(1, 4)).join('');
}

function monthsOf(page: unknown, random: Random): string[] {
  const rows = (page as Page)?.transactions ?? [];
  return random.some(new Set(rows.map(row => row.date.slice(0, 7))), 12);
}
