// A forgotten piece of a projection does not compile (CONTRIBUTING.md). Each error that a comment here expects must be one,
// or the build fails.
import test from 'ava';
import { accountDays } from '../../projections/aggregates/account-days.ts';
import type { AccountMonths } from '../../projections/aggregates/account-months.ts';
import { overRows } from '../../projections/aggregates/aggregate.ts';
import { type DocumentKind, KIND_TRAITS, type TraitsOf } from '../../projections/document-kinds.ts';
import type { Payee } from '../../projections/documents.ts';
import { type BudgetContext, changeRows } from '../../projections/events/context.ts';
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { flatDocuments, recordDocuments } from '../../src/store/document-codec.ts';
import { DOCUMENT_STORAGE } from '../../src/store/document-storage.ts';

type EventOf<T extends BudgetEvent['type']> = Extract<BudgetEvent, { type: T }>;

/** Calls none of the functions: only their types matter. */
const run = (_typed: () => unknown) => undefined;

test('an aggregate reads no field that it does not name, in its sums and in the name of its document', t => {
  run(() =>
    overRows('years', ['amount'], {
      // @ts-expect-error the field `date` is missing
      idOf: ({ date }) => date,
      take() {},
    }),
  );
  run(() =>
    overRows('years', ['date'], {
      idOf: ({ date }) => date,
      // @ts-expect-error the field `amount` is missing
      take: (_documents, { amount }) => amount,
    }),
  );
  t.pass();
});

test('sums are kept by what is known before rows are loaded', t => {
  run(() =>
    overRows('years', ['memo'], {
      // @ts-expect-error an event that changes a row does not say all its fields, and a cascade none of them
      idOf: ({ memo }) => memo,
      take() {},
    }),
  );
  // @ts-expect-error nothing says which document holds the sums of a row
  run(() => overRows('years', ['date'], { take() {} }));
  t.pass();
});

test('the table of kinds has a complete row for each kind', t => {
  const { memoBlocks: _, ...others } = KIND_TRAITS;
  // @ts-expect-error the row of memoBlocks is missing
  const table: { readonly [K in DocumentKind]: TraitsOf<K> } = others;
  // @ts-expect-error sums have an aggregate
  const sums: TraitsOf<'accountDays'> = { madeFrom: 'rows', keptMax: 1 };
  const days = { madeFrom: 'rows', keptMax: 1, aggregate: accountDays } as const;
  // @ts-expect-error this is the aggregate of another kind
  const months: TraitsOf<'accountMonths'> = days;
  // @ts-expect-error clients name things, and are served some of their fields
  const thing: TraitsOf<'payees'> = { madeFrom: 'events', keptMax: 1 };
  t.is([table, sums, months, thing].length, 4);
});

test('each kind is stored somehow, with each of its numbers', t => {
  const { memoBlocks: _, ...others } = DOCUMENT_STORAGE;
  // @ts-expect-error the row of memoBlocks is missing
  const table: typeof DOCUMENT_STORAGE = others;
  // @ts-expect-error the number `changed` is missing
  run(() => flatDocuments<Payee>([], { entry: 'number' }));
  // @ts-expect-error the record `months` is missing
  run(() => recordDocuments<AccountMonths>([], {}, () => ({})));
  t.truthy(table);
});

test('only a cascade changes rows that its event does not name, and it alone replaces what they name', t => {
  const context = {} as BudgetContext;
  // @ts-expect-error the event has no row in the table of cascades, so nobody would load its rows
  run(() => changeRows(context, {} as EventOf<'payee.added'>, () => ({})));
  const merged = {} as EventOf<'payee.merged'>;
  // @ts-expect-error the payee comes from the cascade, so its sums are loaded
  run(() => changeRows(context, merged, () => ({ payeeName: 'Shop', payeeId: 'shop' })));
  t.pass();
});
