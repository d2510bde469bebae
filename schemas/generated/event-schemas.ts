// Generated from schemas/ by npm run generate; do not edit.
import accountClosed from '../events/account.closed.json' with { type: 'json' };
import accountDeleted from '../events/account.deleted.json' with { type: 'json' };
import accountMoved from '../events/account.moved.json' with { type: 'json' };
import accountOpened from '../events/account.opened.json' with { type: 'json' };
import accountRenamed from '../events/account.renamed.json' with { type: 'json' };
import accountReopened from '../events/account.reopened.json' with { type: 'json' };
import accountTypeChanged from '../events/account.type-changed.json' with { type: 'json' };
import budgetArchived from '../events/budget.archived.json' with { type: 'json' };
import budgetCreated from '../events/budget.created.json' with { type: 'json' };
import budgetDeleted from '../events/budget.deleted.json' with { type: 'json' };
import budgetRenamed from '../events/budget.renamed.json' with { type: 'json' };
import categoryGroupAdded from '../events/category-group.added.json' with { type: 'json' };
import categoryGroupDeleted from '../events/category-group.deleted.json' with { type: 'json' };
import categoryGroupHidden from '../events/category-group.hidden.json' with { type: 'json' };
import categoryGroupMoved from '../events/category-group.moved.json' with { type: 'json' };
import categoryGroupRenamed from '../events/category-group.renamed.json' with { type: 'json' };
import categoryGroupShown from '../events/category-group.shown.json' with { type: 'json' };
import categoryAdded from '../events/category.added.json' with { type: 'json' };
import categoryDeleted from '../events/category.deleted.json' with { type: 'json' };
import categoryHidden from '../events/category.hidden.json' with { type: 'json' };
import categoryMoved from '../events/category.moved.json' with { type: 'json' };
import categoryNoted from '../events/category.noted.json' with { type: 'json' };
import categoryRenamed from '../events/category.renamed.json' with { type: 'json' };
import categoryShown from '../events/category.shown.json' with { type: 'json' };
import envelopeAssigned from '../events/envelope.assigned.json' with { type: 'json' };
import envelopeCarryoverSet from '../events/envelope.carryover-set.json' with { type: 'json' };
import labelAdded from '../events/label.added.json' with { type: 'json' };
import labelDeleted from '../events/label.deleted.json' with { type: 'json' };
import labelRenamed from '../events/label.renamed.json' with { type: 'json' };
import monthHeld from '../events/month.held.json' with { type: 'json' };
import payeeAdded from '../events/payee.added.json' with { type: 'json' };
import payeeDeleted from '../events/payee.deleted.json' with { type: 'json' };
import payeeMerged from '../events/payee.merged.json' with { type: 'json' };
import payeeRenamed from '../events/payee.renamed.json' with { type: 'json' };
import spaceCreated from '../events/space.created.json' with { type: 'json' };
import spaceMemberAdded from '../events/space.member-added.json' with { type: 'json' };
import spaceMemberRemoved from '../events/space.member-removed.json' with { type: 'json' };
import spaceRenamed from '../events/space.renamed.json' with { type: 'json' };
import transactionChanged from '../events/transaction.changed.json' with { type: 'json' };
import transactionCleared from '../events/transaction.cleared.json' with { type: 'json' };
import transactionDeleted from '../events/transaction.deleted.json' with { type: 'json' };
import transactionEntered from '../events/transaction.entered.json' with { type: 'json' };
import transactionReconciled from '../events/transaction.reconciled.json' with { type: 'json' };
import transactionUncleared from '../events/transaction.uncleared.json' with { type: 'json' };

export const EVENT_SCHEMAS = {
  'account.closed': accountClosed,
  'account.deleted': accountDeleted,
  'account.moved': accountMoved,
  'account.opened': accountOpened,
  'account.renamed': accountRenamed,
  'account.reopened': accountReopened,
  'account.type-changed': accountTypeChanged,
  'budget.archived': budgetArchived,
  'budget.created': budgetCreated,
  'budget.deleted': budgetDeleted,
  'budget.renamed': budgetRenamed,
  'category-group.added': categoryGroupAdded,
  'category-group.deleted': categoryGroupDeleted,
  'category-group.hidden': categoryGroupHidden,
  'category-group.moved': categoryGroupMoved,
  'category-group.renamed': categoryGroupRenamed,
  'category-group.shown': categoryGroupShown,
  'category.added': categoryAdded,
  'category.deleted': categoryDeleted,
  'category.hidden': categoryHidden,
  'category.moved': categoryMoved,
  'category.noted': categoryNoted,
  'category.renamed': categoryRenamed,
  'category.shown': categoryShown,
  'envelope.assigned': envelopeAssigned,
  'envelope.carryover-set': envelopeCarryoverSet,
  'label.added': labelAdded,
  'label.deleted': labelDeleted,
  'label.renamed': labelRenamed,
  'month.held': monthHeld,
  'payee.added': payeeAdded,
  'payee.deleted': payeeDeleted,
  'payee.merged': payeeMerged,
  'payee.renamed': payeeRenamed,
  'space.created': spaceCreated,
  'space.member-added': spaceMemberAdded,
  'space.member-removed': spaceMemberRemoved,
  'space.renamed': spaceRenamed,
  'transaction.changed': transactionChanged,
  'transaction.cleared': transactionCleared,
  'transaction.deleted': transactionDeleted,
  'transaction.entered': transactionEntered,
  'transaction.reconciled': transactionReconciled,
  'transaction.uncleared': transactionUncleared,
};
