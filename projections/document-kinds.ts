// The kinds of documents in a document set: the one table from which everything else that knows kinds is derived.
// Its other half, how each kind is stored, is src/read-store/document-storage.ts.
import { type AccountDays, accountDays } from './aggregates/account-days.ts';
import { type AccountMonths, accountMonths } from './aggregates/account-months.ts';
import { accountTotals } from './aggregates/account-totals.ts';
import type { Aggregate } from './aggregates/aggregate.ts';
import { categoryCells } from './aggregates/category-cells.ts';
import { type MemoBlock, memoBlocks } from './aggregates/memo-blocks.ts';
import { yearMonths } from './aggregates/year-months.ts';
import type {
  Account,
  Category,
  CategoryGroup,
  CategoryMonths,
  Label,
  Payee,
  Row,
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
  memoBlocks: MemoBlock;
}

export type DocumentKind = keyof SetDocuments;

interface KindTraits {
  /**
   * Documents of `events` are put whole by events. `envelopes` hold facts that events set, and sums over rows.
   * `transactions` are the rows, which change by row changes alone. `rows` are made from rows alone.
   */
  readonly origin: 'events' | 'envelopes' | 'transactions' | 'rows';
  /**
   * A set with more documents than this in memory keeps only those that the last chunk touched. Kinds that grow
   * for ever, and of which only the latest are needed again, need a bound.
   */
  readonly keptMax: number;
  /** How its documents take rows in and out. */
  readonly aggregate?: Aggregate<SetDocuments>;
  /** All its documents are loaded with a set; of other kinds only those that an event declares (projections/reads.ts). */
  readonly isLoadedWhole?: true;
}

interface SumTraits extends KindTraits {
  readonly origin: 'envelopes' | 'rows';
  readonly aggregate: Aggregate<SetDocuments>;
}

interface PlainTraits extends KindTraits {
  readonly origin: 'events' | 'transactions';
}

const ALL = Number.POSITIVE_INFINITY;

/** Aggregates fold from the last kind to the first: days before months, months before the account's totals. */
const KIND_TRAITS = {
  accounts: { origin: 'events', keptMax: ALL, aggregate: accountTotals },
  groups: { origin: 'events', keptMax: ALL },
  categories: { origin: 'events', keptMax: ALL },
  payees: { origin: 'events', keptMax: ALL },
  labels: { origin: 'events', keptMax: ALL },
  rows: { origin: 'transactions', keptMax: 0 },
  accountMonths: { origin: 'rows', keptMax: ALL, aggregate: accountMonths },
  accountDays: { origin: 'rows', keptMax: 16, aggregate: accountDays },
  categoryMonths: { origin: 'envelopes', keptMax: ALL, aggregate: categoryCells },
  years: { origin: 'envelopes', keptMax: ALL, aggregate: yearMonths, isLoadedWhole: true },
  memoBlocks: { origin: 'rows', keptMax: 8, aggregate: memoBlocks },
} as const satisfies { readonly [K in DocumentKind]: SumTraits | PlainTraits };

type Traits = typeof KIND_TRAITS;

/** The kinds whose traits are of type `T`. */
type KindWith<T> = { [K in DocumentKind]: Traits[K] extends T ? K : never }[DocumentKind];

type Origin = KindTraits['origin'];

export type KindFrom<O extends Origin> = KindWith<{ readonly origin: O }>;

export type LoadedWholeKind = KindWith<{ readonly isLoadedWhole: true }>;

/** The kinds that rows are summed up in. */
export type SummedKind = KindWith<{ readonly aggregate: object }>;

/** The kinds that hold more than sums over rows. */
export type CatalogueKind = KindFrom<'events' | 'envelopes'>;

/** Every document of a set that is not made from rows alone, but for the rows. */
export type Catalogue = { readonly [K in CatalogueKind]: readonly SetDocuments[K][] };

export const DOCUMENT_KINDS = Object.keys(KIND_TRAITS) as readonly DocumentKind[];

export const CATALOGUE_KINDS = DOCUMENT_KINDS.filter(isCatalogue);

export const LOADED_WHOLE_KINDS = DOCUMENT_KINDS.filter(isLoadedWhole);

export function traitsOf(kind: DocumentKind): KindTraits {
  return KIND_TRAITS[kind];
}

function isCatalogue(kind: DocumentKind): kind is CatalogueKind {
  return ['events', 'envelopes'].includes(traitsOf(kind).origin);
}

function isLoadedWhole(kind: DocumentKind): kind is LoadedWholeKind {
  return traitsOf(kind).isLoadedWhole === true;
}
