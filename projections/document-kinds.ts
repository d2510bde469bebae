// The one table of the kinds of documents in a document set. Its other half, how each kind is stored, is
// src/store/document-storage.ts. Lists and types of kinds elsewhere are derived from it.
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
  Tombstone,
  Year,
} from './documents.ts';

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

interface KindTraits {
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
  readonly aggregate?: Aggregate<SetDocuments>;
}

interface SumTraits extends KindTraits {
  readonly madeFrom: 'envelopes' | 'rows';
  readonly aggregate: Aggregate<SetDocuments>;
}

interface PlainTraits extends KindTraits {
  readonly madeFrom: 'events' | 'transactions' | 'deletions';
}

const ALL = Number.POSITIVE_INFINITY;

/** A row change reaches aggregates from the last kind to the first: days, then months, then an account's totals. */
const KIND_TRAITS = {
  accounts: { madeFrom: 'events', keptMax: ALL, aggregate: accountTotals },
  groups: { madeFrom: 'events', keptMax: ALL },
  categories: { madeFrom: 'events', keptMax: ALL },
  payees: { madeFrom: 'events', keptMax: ALL },
  labels: { madeFrom: 'events', keptMax: ALL },
  rows: { madeFrom: 'transactions', keptMax: 0 },
  accountMonths: { madeFrom: 'rows', keptMax: ALL, aggregate: accountMonths },
  accountDays: { madeFrom: 'rows', keptMax: 16, aggregate: accountDays },
  categoryMonths: { madeFrom: 'envelopes', keptMax: ALL, aggregate: categoryCells },
  years: { madeFrom: 'envelopes', keptMax: ALL, aggregate: yearMonths },
  monthSums: { madeFrom: 'rows', keptMax: 4, aggregate: monthSums },
  memoBlocks: { madeFrom: 'rows', keptMax: 8, aggregate: memoBlocks },
  tombstones: { madeFrom: 'deletions', keptMax: 0 },
} as const satisfies { readonly [K in DocumentKind]: SumTraits | PlainTraits };

type Traits = typeof KIND_TRAITS;

/** The kinds whose traits are of type `T`. */
type KindWith<T> = { [K in DocumentKind]: Traits[K] extends T ? K : never }[DocumentKind];

export type KindMadeFrom<M extends KindTraits['madeFrom']> = KindWith<{ readonly madeFrom: M }>;

/** The kinds with an aggregate over rows. */
export type SummedKind = KindWith<{ readonly aggregate: object }>;

/** The kinds that hold more than sums over rows. */
export type CatalogueKind = KindMadeFrom<'events' | 'envelopes'>;

/** The documents of a set that events put, and those that hold envelopes. */
export type Catalogue = { readonly [K in CatalogueKind]: readonly SetDocuments[K][] };

export const DOCUMENT_KINDS = Object.keys(KIND_TRAITS) as readonly DocumentKind[];

export const CATALOGUE_KINDS = DOCUMENT_KINDS.filter(isCatalogue);

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
