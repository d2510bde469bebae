// The one table of the kinds of documents in a document set: lists and types of kinds elsewhere are derived from it. Only how
// each kind is stored is said elsewhere (src/store/document-storage.ts).
import { type AccountDays, accountDays } from './aggregates/account-days.ts';
import { type AccountMonths, accountMonths } from './aggregates/account-months.ts';
import { accountTotals } from './aggregates/account-totals.ts';
import type { Aggregate } from './aggregates/aggregate.ts';
import { categoryCells } from './aggregates/category-cells.ts';
import { type MemoBlock, memoBlocks } from './aggregates/memo-blocks.ts';
import { type MonthSums, monthSums } from './aggregates/month-sums.ts';
import { yearMonths } from './aggregates/year-months.ts';
import type {
  Account,
  Category,
  CategoryGroup,
  CategoryMonths,
  Label,
  Payee,
  Row,
  ThingKind,
  Tombstone,
  Year,
} from './documents.ts';
import { SERVED_ROW_FIELDS } from './row.ts';

/** The documents of a set, by kind. A kind is also the name of its collection. */
export interface SetDocuments {
  accounts: Account;
  groups: CategoryGroup;
  categories: Category;
  payees: Payee;
  labels: Label;
  rows: Row;
  accountMonths: AccountMonths;
  accountDays: AccountDays;
  categoryMonths: CategoryMonths;
  years: Year;
  monthSums: MonthSums;
  memoBlocks: MemoBlock;
  tombstones: Tombstone;
}

export type DocumentKind = keyof SetDocuments;

interface KindTraits<K extends DocumentKind = DocumentKind> {
  /**
   * `events`: an event puts the whole document. `envelopes`: facts that events set, and sums over rows.
   * `transactions`: the rows, which only row changes change. `rows`: sums over rows alone. `deletions`: an event that
   * deletes something puts the document without reading it, because there may be millions.
   */
  readonly madeFrom: 'events' | 'envelopes' | 'transactions' | 'rows' | 'deletions';
  /**
   * When a set has more documents of this kind in memory, only those that the last chunk touched stay. It bounds
   * kinds that grow for ever, because events rarely need their older documents again.
   */
  readonly keptMax: number;
  /** Adds rows to the documents of this kind, and subtracts them. */
  readonly aggregate?: Aggregate<K, SetDocuments>;
}

interface SumTraits<K extends DocumentKind> extends KindTraits<K> {
  readonly madeFrom: 'envelopes' | 'rows';
  readonly aggregate: Aggregate<K, SetDocuments>;
}

/** Something that events name by its id, and that is served by itself. */
interface ThingTraits<K extends DocumentKind> extends KindTraits<K> {
  readonly madeFrom: 'events' | 'transactions';
  /** How clients name the kind. */
  readonly thing: ThingKind;
  /** The served fields that an event can change: without the sums of an account and the labels of a row. */
  readonly served: readonly (keyof SetDocuments[K])[];
}

interface PlainTraits<K extends DocumentKind> extends KindTraits<K> {
  readonly madeFrom: 'deletions';
}

const ALL = Number.POSITIVE_INFINITY;

/** A row change reaches aggregates from the last kind to the first: days, then months, then an account's totals. */
export const KIND_TRAITS = {
  accounts: {
    madeFrom: 'events',
    keptMax: ALL,
    aggregate: accountTotals,
    thing: 'account',
    served: ['name', 'type', 'currency', 'onBudget', 'closed'],
  },
  groups: {
    madeFrom: 'events',
    keptMax: ALL,
    thing: 'categoryGroup',
    served: ['name', 'hidden', 'budgetMode'],
  },
  categories: {
    madeFrom: 'events',
    keptMax: ALL,
    thing: 'category',
    served: ['groupId', 'name', 'hidden', 'note'],
  },
  payees: { madeFrom: 'events', keptMax: ALL, thing: 'payee', served: ['name'] },
  labels: { madeFrom: 'events', keptMax: ALL, thing: 'label', served: ['name'] },
  rows: { madeFrom: 'transactions', keptMax: 0, thing: 'transaction', served: SERVED_ROW_FIELDS },
  accountMonths: { madeFrom: 'rows', keptMax: ALL, aggregate: accountMonths },
  accountDays: { madeFrom: 'rows', keptMax: 16, aggregate: accountDays },
  categoryMonths: { madeFrom: 'envelopes', keptMax: ALL, aggregate: categoryCells },
  years: { madeFrom: 'envelopes', keptMax: ALL, aggregate: yearMonths },
  monthSums: { madeFrom: 'rows', keptMax: 4, aggregate: monthSums },
  memoBlocks: { madeFrom: 'rows', keptMax: 8, aggregate: memoBlocks },
  tombstones: { madeFrom: 'deletions', keptMax: 0 },
} as const satisfies { readonly [K in DocumentKind]: TraitsOf<K> };

/** What the table must say of a kind. */
export type TraitsOf<K extends DocumentKind> = SumTraits<K> | ThingTraits<K> | PlainTraits<K>;

type Traits = typeof KIND_TRAITS;

/** The kinds whose traits are of type `T`. */
type KindWith<T> = { [K in DocumentKind]: Traits[K] extends T ? K : never }[DocumentKind];

export type KindMadeFrom<M extends KindTraits['madeFrom']> = KindWith<{ readonly madeFrom: M }>;

/** The kinds whose documents events put whole. */
export type PutKind = KindMadeFrom<'events'>;

/** The kinds whose documents events name by their ids. */
export type NamedKind = PutKind | 'rows';

/** The kinds that hold more than sums over rows. */
export type CatalogueKind = KindMadeFrom<'events' | 'envelopes'>;

/** The documents of a set that events put, and those that hold envelopes. */
export type Catalogue = { readonly [K in CatalogueKind]: readonly SetDocuments[K][] };

export const DOCUMENT_KINDS = Object.keys(KIND_TRAITS) as readonly DocumentKind[];

export const CATALOGUE_KINDS = DOCUMENT_KINDS.filter(isCatalogue);

/** In the order in which a row change reaches them. */
export const AGGREGATES: readonly Aggregate<DocumentKind, SetDocuments>[] =
  DOCUMENT_KINDS.toReversed().flatMap(kind => traitsOf(kind).aggregate ?? []);

export function traitsOf(kind: DocumentKind): KindTraits {
  return KIND_TRAITS[kind];
}

/** Returns whether documents of this kind are put without being read: one may be stored already. */
export function isPutUnread(kind: DocumentKind): boolean {
  return traitsOf(kind).madeFrom === 'deletions';
}

function isCatalogue(kind: DocumentKind): kind is CatalogueKind {
  return ['events', 'envelopes'].includes(traitsOf(kind).madeFrom);
}
