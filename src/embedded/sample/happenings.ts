// What changes in the sample's household over the years, beyond the daily rows: one evening each.
import { addCategory, groupId, openAccount, setCarryOver } from './budget-book.ts';
import { dayOf, monthOf, monthsBetween } from './calendar.ts';
import type { Life } from './life.ts';
import { deleteAccount, deleteCategory, deleteLabel, deletePayee, mergePayee } from './removals.ts';

interface Happening {
  /** Months after the start, then the day of that month. */
  readonly month: number;
  readonly day: number;
  readonly happen: (life: Life) => void;
}

const EVERYDAY = { name: 'Everyday', mode: 'envelope' } as const;

const HAPPENINGS: readonly Happening[] = [
  { month: 1, day: 9, happen: openStoreCard },
  { month: 2, day: 12, happen: addSmallCategories },
  { month: 4, day: 18, happen: tidyCategories },
  { month: 6, day: 7, happen: tidyPayees },
  { month: 8, day: 21, happen: closeStoreCard },
  { month: 11, day: 3, happen: tidyGroups },
  { month: 14, day: 16, happen: tidyLabels },
  { month: 17, day: 5, happen: giveUpSnacks },
  { month: 21, day: 13, happen: renameThings },
  { month: 26, day: 10, happen: sofaIsThere },
];

/** To be called on each day; `start` is the first day of the history. */
export function happen(life: Life, start: string): void {
  const today = life.book.today();
  const months = monthsBetween(monthOf(start), monthOf(today));
  for (const { month, day, happen } of HAPPENINGS) {
    if (month === months && today === dayOf(monthOf(today), day)) happen(life);
  }
}

function openStoreCard(life: Life): void {
  const { book } = life;
  const card = openAccount(
    book,
    { key: 'store-card', name: 'Store Card', type: 'creditCard', onBudget: true, opening: 0 },
    null,
  );
  const joint = book.accounts.get('joint');
  if (joint === undefined) return;
  const clothing = book.categories.get('Clothing') ?? null;
  const date = book.today();
  const payeeId = book.payees.idOf('Kaufhaus Stern');
  book.rows.enter({ account: card, date, amount: -89_95, payeeId, categoryId: clothing });
  const leg = { date, type: 'transfer', memo: 'Paid off', cleared: true } as const;
  book.rows.enter({ ...leg, account: joint, amount: -89_95, transferAccountId: card.id });
  book.rows.enter({ ...leg, account: card, amount: 89_95, transferAccountId: joint.id });
}

function addSmallCategories({ book }: Life): void {
  addCategory(book, EVERYDAY, { name: 'Snacks', monthly: 60_00 }, null);
  addCategory(book, EVERYDAY, { name: 'Parking', monthly: 35_00, note: 'Only the city' }, null);
  setCarryOver(book, 'Snacks', true);
}

function tidyCategories({ book }: Life): void {
  const id = (name: string): string => book.categories.get(name) ?? '';
  book.emit('category.renamed', { categoryId: id('Household Goods'), name: 'House & Garden' });
  book.emit('category.noted', { categoryId: id('Groceries'), note: 'Not more than 220 a week' });
  book.emit('category.noted', { categoryId: id('Heating'), note: null });
  book.emit('category.moved', { categoryId: id('Fuel'), groupId: groupId('Housing'), position: 9 });
  book.emit('category.moved', { categoryId: id('Books'), groupId: groupId('Family') });
  book.emit('category.hidden', { categoryId: id('New Sofa') });
}

function tidyPayees({ book }: Life): void {
  book.emit('payee.renamed', { payeeId: book.payees.idOf('Biomarkt'), name: 'Biomarkt Grün' });
  mergePayee(book, 'Brotzeit', 'Bäckerei Weiß');
  mergePayee(book, 'Shell', 'Freie Tankstelle');
  deletePayee(book, 'Vending Machine');
}

/** Closed, opened again for a refund, and in the end deleted: the leg in the joint account stays. */
function closeStoreCard({ book }: Life): void {
  const accountId = book.accounts.get('store-card')?.id ?? '';
  book.emit('account.closed', { accountId });
  book.emit('account.reopened', { accountId });
  book.emit('account.closed', { accountId });
  deleteAccount(book, 'store-card');
}

function tidyGroups({ book }: Life): void {
  const trial = groupId('Trial');
  book.emit('category-group.added', {
    groupId: trial,
    name: 'Trial',
    budgetMode: 'envelope',
    position: 20,
  });
  book.emit('category-group.moved', { groupId: trial, position: -1 });
  book.emit('category-group.deleted', { groupId: trial });
  book.emit('category-group.renamed', { groupId: groupId('Fun'), name: 'Joy' });
  book.emit('category-group.hidden', { groupId: groupId('Family') });
  book.emit('category-group.shown', { groupId: groupId('Family') });
  book.emit('category-group.hidden', { groupId: groupId('Saving up') });
}

function tidyLabels({ book }: Life): void {
  const labelId = book.labels.idOf('With friends');
  book.emit('label.renamed', { labelId, name: 'Friends & Family' });
  book.labels.idOf('Christmas');
  deleteLabel(book, 'Work');
}

/** One habit goes into another envelope, the rows of the other are left without a category. */
function giveUpSnacks({ book }: Life): void {
  deleteCategory(book, 'Snacks', 'Eating Out');
  deleteCategory(book, 'Parking', null);
}

function renameThings({ book }: Life): void {
  book.emit('budget.renamed', { name: 'Our Household' });
  const visa = book.accounts.get('visa')?.id ?? '';
  const rainyDay = book.accounts.get('rainy-day')?.id ?? '';
  book.emit('account.renamed', { accountId: visa, name: 'Visa Gold' });
  book.emit('account.moved', { accountId: visa, position: 12 });
  book.emit('account.type-changed', { accountId: visa, type: 'lineOfCredit' });
  book.emit('account.type-changed', { accountId: visa, type: 'creditCard' });
  book.emit('account.renamed', { accountId: rainyDay, name: 'Rainy Day ☂' });
}

function sofaIsThere({ book }: Life): void {
  const sofa = book.categories.get('New Sofa');
  const joint = book.accounts.get('joint');
  if (sofa === undefined || joint === undefined) return;
  book.emit('category.shown', { categoryId: sofa });
  book.rows.enter({
    account: joint,
    date: book.today(),
    amount: -1240_00,
    payeeId: book.payees.idOf('IKEA'),
    categoryId: sofa,
    memo: 'The green one, delivered',
  });
  setCarryOver(book, 'Holidays', true);
}
