// An event declares the documents that it needs: without any of them the projections throw.
import test from 'ava';
import { isInvalid } from '../../projections/change.ts';
import type { DocumentKind } from '../../projections/document-kinds.ts';
import type { Head } from '../../projections/documents.ts';
import { project } from '../../projections/project.ts';
import { declareReads } from '../../projections/reads.ts';
import { reconcile } from '../../projections/reconcile.ts';
import { createWanted } from '../../projections/wanted-documents.ts';
import { createWorkingSet, type WorkingSet } from '../../projections/working-set.ts';
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, label, payee, row, transfer } from '../model/scene.ts';
import { documentsOf, loadWanted, type MemoryStore, provideYears } from './memory-store.ts';
import { createStory, eventMaker, FURNISHED, SET, type Story } from './story.ts';

const change = (draft: Draft): Draft => ({ ...draft, type: 'transaction.changed' }) as Draft;
const month = '2024-03';
const row1 = { transactionIds: ['row-1'] };
const full = { payeeId: 'mall', categoryId: 'rent', labelIds: ['red'], memo: 'other' };
/** Row-1 of the furniture with a memo. */
const withMemo = { payeeId: 'shop', categoryId: 'food', labelIds: ['red', 'blue'], memo: 'note' };

/** One event of each shape, for the furnished budget with a transfer. */
const EVENTS: readonly Draft[] = [
  row('new', full),
  transfer('new', ['home', 'house'], full),
  change(row('row-1', { ...full, accountId: 'cash', date: '2023-01-01' })),
  { type: 'transaction.deleted', data: { transactionId: 'row-1' } },
  { type: 'transaction.cleared', data: row1 },
  { type: 'transaction.reconciled', data: row1 },
  account('new', true),
  { type: 'account.renamed', data: { accountId: 'home', name: 'x' } },
  { type: 'account.closed', data: { accountId: 'home' } },
  { type: 'account.deleted', data: { accountId: 'home' } },
  group('new', 'income'),
  { type: 'category-group.renamed', data: { groupId: 'needs', name: 'x' } },
  { type: 'category-group.deleted', data: { groupId: 'empty' } },
  category('new', 'needs'),
  { type: 'category.renamed', data: { categoryId: 'food', name: 'x' } },
  { type: 'category.moved', data: { categoryId: 'food', groupId: 'wages' } },
  { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'rent' } },
  { type: 'envelope.assigned', data: { month, categoryId: 'rent', amount: '1.00' } },
  { type: 'envelope.carryover-set', data: { month, categoryId: 'rent', carriesOver: true } },
  payee('new'),
  { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } },
  { type: 'payee.renamed', data: { payeeId: 'shop', name: 'x' } },
  { type: 'payee.deleted', data: { payeeId: 'shop' } },
  label('new'),
  { type: 'label.renamed', data: { labelId: 'red', name: 'x' } },
  { type: 'label.deleted', data: { labelId: 'red' } },
];

/** Documents that an event declares without need, because all sums of a row are declared in one way. */
const SPARE: Readonly<Record<string, readonly string[]>> = {
  // The row is taken from 2024 first.
  'transaction.changed': ['years 2023'],
  'category.renamed': ['categoryMonths food'],
  'envelope.carryover-set': ['years 2024'],
};

for (const [index, draft] of EVENTS.entries()) {
  test(`shape ${index + 1}, ${draft.type}: it throws without any of its reads`, t => {
    const story = createStory([
      ...FURNISHED,
      change(row('row-1', withMemo)),
      transfer('leg', ['cash', 'home']),
    ]);
    const event = eventMaker('budget-1')(draft, { sequence: 19 }) as BudgetEvent;
    const declared = declaredBy(story.store, event);
    const head = fold(story, event, declared);
    t.is(head.sequence, 19);
    for (const withheld of declared) {
      // The rows of a cascade depend on the store; their fields are checked below.
      const ofCascade = withheld.startsWith('rows ') && !draft.type.startsWith('transaction.');
      if (ofCascade || SPARE[draft.type]?.includes(withheld)) continue;
      const rest = declared.filter(key => key !== withheld);
      const message = new RegExp(`Not declared by any event: ${withheld.replace(' ', ` ${SET}/`)}`);
      t.throws(() => fold(story, event, rest), { message }, withheld);
    }
  });
}

test('cascades declare the field that their rows are found by', t => {
  const searches = (draft: Draft) => {
    const wanted = createWanted(createWorkingSet());
    declareReads(eventMaker('budget-1')(draft) as BudgetEvent, wanted.in(SET));
    return [...wanted.searches.values()].map(({ field, ids }) => `${field} ${[...ids]}`);
  };
  const found = EVENTS.map(draft => [draft.type, searches(draft)] as const);
  t.deepEqual(Object.fromEntries(found.filter(([, fields]) => fields.length > 0)), {
    'account.renamed': ['account home'],
    'account.deleted': ['account home', 'transfer home'],
    'category.renamed': ['category food'],
    'category.deleted': ['category food'],
    'payee.merged': ['payee shop'],
    'payee.renamed': ['payee shop'],
    'payee.deleted': ['payee shop'],
    'label.renamed': ['labels red'],
    'label.deleted': ['labels red'],
  });
});

// Returns the keys that an event declares, directly and through the rows and the category that it finds.
function declaredBy(store: MemoryStore, event: BudgetEvent): string[] {
  const keys = new Set<string>();
  const documents = createWorkingSet();
  const wanted = createWanted(documents);
  declareReads(event, wanted.in(SET));
  const provide: WorkingSet['provide'] = (kind, key, document) => {
    if (kind !== 'years') keys.add(`${kind} ${key.slice(SET.length + 1)}`);
    documents.provide(kind, key, document);
  };
  loadWanted(store, { ...documents, provide }, wanted);
  for (const year of wanted.years.values()) keys.add(`years ${year}`);
  return [...keys];
}

function fold({ store, head }: Story, event: BudgetEvent, keys: readonly string[]): Head {
  const documents = createWorkingSet();
  const years = documentsOf(store, 'years', SET);
  for (const key of keys) {
    const [name, id] = key.split(' ') as [DocumentKind, string];
    if (key.startsWith('years ')) {
      provideYears(documents, years, { set: SET, from: id });
      continue;
    }
    documents.provide(name, `${SET}/${id}`, store.documents.get(`${name} ${SET}/${id}`) ?? null);
  }
  const projected = project(documents, head(), { event, newSet: 'new' });
  if (isInvalid(projected)) throw new Error(projected.invalid);
  reconcile(documents);
  return projected;
}
