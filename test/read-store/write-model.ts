// Writes budgets into a read model in their stored forms. Sums and counts are added up row by row, on a way of
// their own, so that a test of a query does not lean on the projections.
import type { Db } from 'mongodb';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type SetDocuments,
} from '../../projections/document-kinds.ts';
import type {
  Account,
  Category,
  CategoryGroup,
  Head,
  MonthIncrements,
  Payee,
  Row,
} from '../../projections/documents.ts';
import { normalizeText } from '../../projections/normalize-text.ts';
import {
  createCollections,
  documentsOf,
  type GenerationCollections,
  generationCollections,
} from '../../src/read-store/collections.ts';
import { storedDocument } from '../../src/read-store/document-storage.ts';
import { changeRegistry } from '../../src/read-store/registry.ts';
import { cellsOf, grouped, lastDateOf, memoBlocksOf, rowsOf, sumsOf, yearsOf } from './sum-rows.ts';

/** Makes the collections of a generation and names it the active one. */
export async function createModel(db: Db, generation = 'g1'): Promise<GenerationCollections> {
  await createCollections(db, generation);
  await activate(db, generation);
  return generationCollections(db, generation);
}

export async function activate(db: Db, generation: string): Promise<void> {
  await changeRegistry(db, registry => ({ ...registry, active: generation }));
}

type Named = Partial<Payee> & { id: string };
export type GivenRow = Partial<Row> & { id: string; date: string };

export interface GivenEnvelope {
  readonly assigned?: Readonly<Record<string, number>>;
  readonly carry?: Readonly<Record<string, boolean>>;
}

/** What a test says of a budget; everything else has a plain value. */
export interface BudgetContent {
  readonly id: string;
  readonly spaceId: string;
  readonly name?: string;
  readonly currency?: string;
  readonly archivedAt?: string | null;
  readonly sequence?: number;
  readonly set?: string;
  readonly held?: Head['held'];
  readonly deleted?: boolean;
  readonly accounts?: readonly (Partial<Account> & { id: string })[];
  readonly groups?: readonly (Partial<CategoryGroup> & { id: string })[];
  readonly categories?: readonly (Partial<Category> & { id: string; groupId: string })[];
  readonly payees?: readonly Named[];
  readonly labels?: readonly Named[];
  readonly rows?: readonly GivenRow[];
  /** Assigned amounts and carry-over marks by category and month. */
  readonly envelopes?: Readonly<Record<string, GivenEnvelope>>;
  /** Month increments by `YYYY-MM`, on top of what the rows add up to. */
  readonly months?: Readonly<Record<string, Partial<MonthIncrements>>>;
}

export const CREATED_AT = '2024-01-02T03:04:05.678Z';

export async function writeSpace(
  model: GenerationCollections,
  id: string,
  members: readonly string[],
  { name = `Space ${id}`, sequence = 1 }: { name?: string | null; sequence?: number } = {},
): Promise<void> {
  const space = { name, members: [...members], createdAt: CREATED_AT };
  await writeHead(model, { id, sequence, set: null, held: null, budget: null, space });
}

export async function writeBudget(
  model: GenerationCollections,
  content: BudgetContent,
): Promise<void> {
  const { id, sequence = 1, set = `${id}-set`, deleted = false } = content;
  const rows = (content.rows ?? []).map((row, index) => toRow(row, set, index));
  await writeSet(model, set, content, rows);
  const name = content.name ?? `Budget ${id}`;
  const budget = {
    spaceId: content.spaceId,
    name,
    nameKey: normalizeText(name),
    currency: content.currency ?? 'EUR',
    createdAt: CREATED_AT,
    archivedAt: content.archivedAt ?? null,
    lastDate: lastDateOf(rows),
    absolute: 0,
  };
  const held = content.held ?? null;
  await writeHead(model, { id, sequence, set, held, budget, space: null, deleted });
}

type HeadContent = Pick<Head, 'id' | 'sequence' | 'set' | 'held' | 'budget' | 'space'> & {
  deleted?: boolean;
};

async function writeHead(model: GenerationCollections, content: HeadContent): Promise<void> {
  const { id, ...head } = { partition: 0, eventId: 'event', deleted: false, ...content };
  await model.heads.replaceOne({ _id: id }, head, { upsert: true });
}

async function writeSet(
  model: GenerationCollections,
  set: string,
  content: BudgetContent,
  rows: readonly Row[],
): Promise<void> {
  const { accounts = [], groups = [], categories = [], payees = [], labels = [] } = content;
  const named = ({ id, name = `Name ${id}` }: Named) => ({
    set,
    id,
    name,
    nameKey: normalizeText(name),
  });
  // A kind that no query reads may be missing.
  const documents: { [K in DocumentKind]?: SetDocuments[K][] } = {
    accounts: accounts.map(account => toAccount(account, set, rows)),
    groups: groups.map(group => ({
      ...{ hidden: false, budgetMode: 'envelope', position: null, size: 0 },
      ...group,
      ...named(group),
    })),
    categories: categories.map(category => ({
      ...{ budgetMode: 'envelope', hidden: false, note: null, position: null },
      ...category,
      ...named(category),
    })),
    payees: payees.map(named),
    labels: labels.map(named),
    rows: [...rows],
    accountMonths: accounts.map(({ id }) => {
      const months = grouped(rowsOf(rows, id), ({ date }) => date.slice(0, 7), sumsOf);
      const last = (month: string) =>
        Math.max(...rowsOf(rows, id, month).map(({ date }) => Number(date.slice(8))));
      const withLast = Object.entries(months).map(
        ([month, sums]) => [month, { ...sums, last: last(month) }] as const,
      );
      return { set, id, months: Object.fromEntries(withLast) };
    }),
    accountDays: accounts.flatMap(({ id }) => {
      const inYears = grouped(
        rowsOf(rows, id),
        ({ date }) => date.slice(0, 4),
        inYear => inYear,
      );
      return Object.entries(inYears).map(([year, inYear]) => ({
        set,
        id: `${id}/${year}`,
        months: grouped(
          inYear,
          ({ date }) => date.slice(5, 7),
          inMonth => grouped(inMonth, ({ date }) => date.slice(8), sumsOf),
        ),
      }));
    }),
    categoryMonths: categories.map(({ id }) => ({
      set,
      id,
      cells: cellsOf(
        rows.filter(({ categoryId }) => categoryId === id),
        content.envelopes?.[id]?.assigned ?? {},
      ),
      carry: content.envelopes?.[id]?.carry ?? {},
    })),
    years: yearsOf(set, rows, content.months ?? {}),
    memoBlocks: memoBlocksOf(set, rows),
  };
  for (const kind of DOCUMENT_KINDS) {
    const stored = (documents[kind] ?? []).map(document => storedDocument(kind, document));
    if (stored.length > 0) await documentsOf(model, kind).insertMany(stored);
  }
}

function toRow(given: GivenRow, set: string, index: number): Row {
  return {
    entry: index + 1,
    accountId: 'a1',
    accountName: 'Name a1',
    payeeId: null,
    payeeName: null,
    categoryId: null,
    categoryName: null,
    memo: '',
    amount: -100,
    amountNative: null,
    exchangeRate: null,
    currency: null,
    type: 'standard',
    cleared: true,
    reconciled: false,
    transferAccountId: null,
    splitGroupId: null,
    labels: [],
    createdAt: CREATED_AT,
    onBudget: true,
    internal: false,
    ...given,
    set,
  };
}

function toAccount(
  given: Partial<Account> & { id: string },
  set: string,
  rows: readonly Row[],
): Account {
  const name = given.name ?? `Name ${given.id}`;
  const own = rowsOf(rows, given.id);
  return {
    type: 'checking',
    currency: null,
    onBudget: true,
    closed: false,
    position: null,
    createdAt: CREATED_AT,
    nativeAbsolute: 0,
    lastDate: lastDateOf(own),
    ...sumsOf(own),
    ...given,
    set,
    name,
    nameKey: normalizeText(name),
  };
}
