// Deletions and merges in a sample budget: one event each, and what it does to the rows that are remembered.
import type { BudgetBook } from './budget-book.ts';

export function deleteAccount(book: BudgetBook, key: string): void {
  const account = book.accounts.get(key);
  if (account === undefined) return;
  book.emit('account.deleted', { accountId: account.id });
  book.accounts.delete(key);
  book.rows.replace(
    row => row.account === account,
    () => null,
  );
  book.rows.replace(
    row => row.transferAccountId === account.id,
    row => ({ ...row, type: 'standard', transferAccountId: null }),
  );
}

/** With a replacement the name means that category from now on. */
export function deleteCategory(book: BudgetBook, name: string, replacement: string | null): void {
  const categoryId = book.categories.get(name);
  if (categoryId === undefined) return;
  const replacementId = (replacement !== null && book.categories.get(replacement)) || null;
  book.emit('category.deleted', { categoryId, replacementCategoryId: replacementId });
  if (replacementId === null) book.categories.delete(name);
  else book.categories.set(name, replacementId);
  book.envelopes.replace(categoryId, replacementId);
  book.rows.replace(
    row => row.categoryId === categoryId,
    row => ({ ...row, categoryId: replacementId }),
  );
}

export function mergePayee(book: BudgetBook, name: string, intoName: string): void {
  const { fromId, intoId } = book.payees.merge(name, intoName);
  book.emit('payee.merged', { payeeId: fromId, intoPayeeId: intoId });
  book.rows.replace(
    row => row.payeeId === fromId,
    row => ({ ...row, payeeId: intoId }),
  );
}

export function deletePayee(book: BudgetBook, name: string): void {
  const payeeId = book.payees.forget(name);
  book.emit('payee.deleted', { payeeId });
  book.rows.replace(
    row => row.payeeId === payeeId,
    row => ({ ...row, payeeId: null }),
  );
}

export function deleteLabel(book: BudgetBook, name: string): void {
  const labelId = book.labels.forget(name);
  book.emit('label.deleted', { labelId });
  book.rows.replace(
    row => row.labelIds.includes(labelId),
    row => ({ ...row, labelIds: row.labelIds.filter(id => id !== labelId) }),
  );
}
