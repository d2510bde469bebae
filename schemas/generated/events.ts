// Generated from schemas/ by npm run generate; do not edit.

/** A decoded CloudEvents 1.0 event, see schemas/envelope.json; other extension attributes may be there. */
export interface EventEnvelope<T extends string, D> {
  specversion: '1.0';
  id: string;
  source: string;
  type: T;
  /** RFC 3339 UTC with Z and any fraction of a second. */
  time: string;
  datacontenttype?: string | null;
  /** The budget's id, or for space events the space's id. */
  subject: string;
  /** 1, 2, 3 … within the subject. */
  sequence: number;
  schemaversion: number;
  data: D;
}

/**
 * An account was closed.
 */
export interface AccountClosed {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
}

/**
 * An account was deleted with its transactions; transfers of other accounts with it become standard rows.
 */
export interface AccountDeleted {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
}

/**
 * An account got another place in the list.
 */
export interface AccountMoved {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
  /**
   * Place in the list, lowest first; any integer. Equal ones are ordered by name, then id.
   */
  position: number;
}

/**
 * An account was opened.
 */
export interface AccountOpened {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
  type:
    | 'checking'
    | 'savings'
    | 'cash'
    | 'creditCard'
    | 'lineOfCredit'
    | 'mortgage'
    | 'autoLoan'
    | 'studentLoan'
    | 'personalLoan'
    | 'medicalDebt'
    | 'otherDebt'
    | 'otherAsset'
    | 'otherLiability';
  onBudget: boolean;
  /**
   * The account's own ISO 4217 code; null means the budget's currency.
   */
  currency: string | null;
  /**
   * Place in the list, lowest first; any integer. Equal ones are ordered by name, then id.
   */
  position?: number | null;
}

/**
 * An account got another name.
 */
export interface AccountRenamed {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * A closed account was opened again.
 */
export interface AccountReopened {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
}

/**
 * An account got another type.
 */
export interface AccountTypeChanged {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
  type:
    | 'checking'
    | 'savings'
    | 'cash'
    | 'creditCard'
    | 'lineOfCredit'
    | 'mortgage'
    | 'autoLoan'
    | 'studentLoan'
    | 'personalLoan'
    | 'medicalDebt'
    | 'otherDebt'
    | 'otherAsset'
    | 'otherLiability';
}

/**
 * A clean slate left this budget behind; archivedAt is the time of the event.
 */
export interface BudgetArchived {
  /**
   * The budget that goes on with its balances, null when there is none.
   */
  successorBudgetId: string | null;
}

/**
 * A budget was made in a space. The first event of its stream.
 */
export interface BudgetCreated {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  spaceId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
  /**
   * An ISO 4217 code: the active list as of 2026-01-01, and the codes withdrawn since 2020 (ANG BGN CUC HRK SLL ZWL), because the log is kept forever.
   */
  currency: string;
}

/**
 * Every trace of the budget leaves the read model. The last event of its stream; takes effect even on a held stream.
 */
export interface BudgetDeleted {}

/**
 * A budget got another name.
 */
export interface BudgetRenamed {
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * A group of categories was made.
 */
export interface CategoryGroupAdded {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
  /**
   * envelope: funded from Ready to Assign; income: its rows feed Ready to Assign; unfunded: no envelope, its rows change Ready to Assign directly.
   */
  budgetMode: 'envelope' | 'income' | 'unfunded';
  /**
   * Place in the list, lowest first; any integer. Equal ones are ordered by name, then id.
   */
  position?: number | null;
}

/**
 * A group was deleted; it must be empty.
 */
export interface CategoryGroupDeleted {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
}

/**
 * A group was hidden.
 */
export interface CategoryGroupHidden {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
}

/**
 * A group got another place in the list.
 */
export interface CategoryGroupMoved {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
  /**
   * Place in the list, lowest first; any integer. Equal ones are ordered by name, then id.
   */
  position: number;
}

/**
 * A group got another name.
 */
export interface CategoryGroupRenamed {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * A hidden group was shown again.
 */
export interface CategoryGroupShown {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
}

/**
 * A category was made in a group.
 */
export interface CategoryAdded {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
  /**
   * A note as entered, no lone surrogates.
   */
  note?: string | null;
  /**
   * Place in the list, lowest first; any integer. Equal ones are ordered by name, then id.
   */
  position?: number | null;
}

/**
 * A category was deleted. Its rows and assigned amounts go to the replacement; with null the rows become uncategorized and the amounts are gone.
 */
export interface CategoryDeleted {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  replacementCategoryId: string | null;
}

/**
 * A category was hidden.
 */
export interface CategoryHidden {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
}

/**
 * A category went to a group and a place in it; the group may be the same.
 */
export interface CategoryMoved {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  groupId: string;
  /**
   * Place in the list, lowest first; any integer. Equal ones are ordered by name, then id.
   */
  position?: number | null;
}

/**
 * A category got another note, or none.
 */
export interface CategoryNoted {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
  /**
   * A note as entered, no lone surrogates.
   */
  note: string | null;
}

/**
 * A category got another name.
 */
export interface CategoryRenamed {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * A hidden category was shown again.
 */
export interface CategoryShown {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
}

/**
 * The whole amount assigned to a category in a month, not a difference.
 */
export interface EnvelopeAssigned {
  /**
   * A calendar month, YYYY-MM, from 0001-01 to 9999-12.
   */
  month: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
  /**
   * Money in major units with exactly two fraction digits; no plus, no leading zeros, no -0.00, at most 22517998136852.48 (2^51 hundredths) either way.
   */
  amount: string;
}

/**
 * From this month until the next one set, overspending carries over in the category, or not.
 */
export interface EnvelopeCarryoverSet {
  /**
   * A calendar month, YYYY-MM, from 0001-01 to 9999-12.
   */
  month: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId: string;
  carriesOver: boolean;
}

/**
 * A label was made.
 */
export interface LabelAdded {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  labelId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * A label was deleted: rows lose it.
 */
export interface LabelDeleted {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  labelId: string;
}

/**
 * A label got another name.
 */
export interface LabelRenamed {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  labelId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * The whole amount of a month held for the next one.
 */
export interface MonthHeld {
  /**
   * A calendar month, YYYY-MM, from 0001-01 to 9999-12.
   */
  month: string;
  /**
   * Money that is not negative: two fraction digits, at most 22517998136852.48.
   */
  amount: string;
}

/**
 * A payee was made.
 */
export interface PayeeAdded {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  payeeId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * A payee was deleted: its rows lose their payee.
 */
export interface PayeeDeleted {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  payeeId: string;
}

/**
 * A payee was merged into another: its rows go there, it is gone.
 */
export interface PayeeMerged {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  payeeId: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  intoPayeeId: string;
}

/**
 * A payee got another name.
 */
export interface PayeeRenamed {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  payeeId: string;
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string;
}

/**
 * A space was made: the owner of budgets, shared by its members.
 */
export interface SpaceCreated {
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string | null;
}

/**
 * A user became a member: reaches every budget of the space.
 */
export interface SpaceMemberAdded {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  userId: string;
}

/**
 * A user is no member any more. Takes effect even on a held stream.
 */
export interface SpaceMemberRemoved {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  userId: string;
}

/**
 * A space got another name, or none.
 */
export interface SpaceRenamed {
  /**
   * A name as entered: 1 to 200 Unicode code points, no lone surrogates.
   */
  name: string | null;
}

/**
 * The whole new state of a row; its place among equals on a date stays that of its entry.
 */
export interface TransactionChanged {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  transactionId: string;
  /**
   * A calendar date that exists, YYYY-MM-DD, years 0001 to 9999.
   */
  date: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  payeeId?: string | null;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId?: string | null;
  /**
   * A memo as entered: up to 1000 Unicode code points, no lone surrogates.
   */
  memo?: string | null;
  /**
   * In the budget's currency; negative means outflow.
   */
  amount: string;
  /**
   * In the account's own currency; given exactly where the account has one.
   */
  amountNative?: string | null;
  /**
   * Units of the budget's currency for one unit of the account's own currency. Given exactly where the account has one.
   */
  exchangeRate?: number | null;
  type: 'standard' | 'transfer' | 'startingBalance' | 'reconciliation';
  cleared: boolean;
  /**
   * True implies cleared.
   */
  reconciled: boolean;
  /**
   * The other account of a transfer; given exactly for the type transfer.
   */
  transferAccountId?: string | null;
  /**
   * Shared by every leg of a split.
   */
  splitGroupId?: string | null;
  /**
   * Labels of the row: at most 50, none twice.
   *
   * @maxItems 50
   */
  labelIds?: string[] | null;
}

/**
 * Rows were cleared.
 */
export interface TransactionCleared {
  /**
   * 1 to 1000 rows, none twice.
   *
   * @minItems 1
   * @maxItems 1000
   *
   * Items: An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  transactionIds: string[];
}

/**
 * A row was deleted.
 */
export interface TransactionDeleted {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  transactionId: string;
}

/**
 * A row was entered. Each leg of a split is its own row; a transfer is two, each naming the other account.
 */
export interface TransactionEntered {
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  transactionId: string;
  /**
   * A calendar date that exists, YYYY-MM-DD, years 0001 to 9999.
   */
  date: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  accountId: string;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  payeeId?: string | null;
  /**
   * An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  categoryId?: string | null;
  /**
   * A memo as entered: up to 1000 Unicode code points, no lone surrogates.
   */
  memo?: string | null;
  /**
   * In the budget's currency; negative means outflow.
   */
  amount: string;
  /**
   * In the account's own currency; given exactly where the account has one.
   */
  amountNative?: string | null;
  /**
   * Units of the budget's currency for one unit of the account's own currency. Given exactly where the account has one.
   */
  exchangeRate?: number | null;
  type: 'standard' | 'transfer' | 'startingBalance' | 'reconciliation';
  cleared: boolean;
  /**
   * True implies cleared.
   */
  reconciled: boolean;
  /**
   * The other account of a transfer; given exactly for the type transfer.
   */
  transferAccountId?: string | null;
  /**
   * Shared by every leg of a split.
   */
  splitGroupId?: string | null;
  /**
   * Labels of the row: at most 50, none twice.
   *
   * @maxItems 50
   */
  labelIds?: string[] | null;
}

/**
 * Rows were reconciled with a statement, which clears them too.
 */
export interface TransactionReconciled {
  /**
   * 1 to 1000 rows, none twice.
   *
   * @minItems 1
   * @maxItems 1000
   *
   * Items: An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  transactionIds: string[];
}

/**
 * Rows are neither cleared nor reconciled any more.
 */
export interface TransactionUncleared {
  /**
   * 1 to 1000 rows, none twice.
   *
   * @minItems 1
   * @maxItems 1000
   *
   * Items: An opaque id: 1 to 128 characters from A–Z a–z 0–9 _ - . : ~.
   */
  transactionIds: string[];
}

export type SpaceEvent =
  | EventEnvelope<'space.created', SpaceCreated>
  | EventEnvelope<'space.member-added', SpaceMemberAdded>
  | EventEnvelope<'space.member-removed', SpaceMemberRemoved>
  | EventEnvelope<'space.renamed', SpaceRenamed>;

export type BudgetEvent =
  | EventEnvelope<'account.closed', AccountClosed>
  | EventEnvelope<'account.deleted', AccountDeleted>
  | EventEnvelope<'account.moved', AccountMoved>
  | EventEnvelope<'account.opened', AccountOpened>
  | EventEnvelope<'account.renamed', AccountRenamed>
  | EventEnvelope<'account.reopened', AccountReopened>
  | EventEnvelope<'account.type-changed', AccountTypeChanged>
  | EventEnvelope<'budget.archived', BudgetArchived>
  | EventEnvelope<'budget.created', BudgetCreated>
  | EventEnvelope<'budget.deleted', BudgetDeleted>
  | EventEnvelope<'budget.renamed', BudgetRenamed>
  | EventEnvelope<'category-group.added', CategoryGroupAdded>
  | EventEnvelope<'category-group.deleted', CategoryGroupDeleted>
  | EventEnvelope<'category-group.hidden', CategoryGroupHidden>
  | EventEnvelope<'category-group.moved', CategoryGroupMoved>
  | EventEnvelope<'category-group.renamed', CategoryGroupRenamed>
  | EventEnvelope<'category-group.shown', CategoryGroupShown>
  | EventEnvelope<'category.added', CategoryAdded>
  | EventEnvelope<'category.deleted', CategoryDeleted>
  | EventEnvelope<'category.hidden', CategoryHidden>
  | EventEnvelope<'category.moved', CategoryMoved>
  | EventEnvelope<'category.noted', CategoryNoted>
  | EventEnvelope<'category.renamed', CategoryRenamed>
  | EventEnvelope<'category.shown', CategoryShown>
  | EventEnvelope<'envelope.assigned', EnvelopeAssigned>
  | EventEnvelope<'envelope.carryover-set', EnvelopeCarryoverSet>
  | EventEnvelope<'label.added', LabelAdded>
  | EventEnvelope<'label.deleted', LabelDeleted>
  | EventEnvelope<'label.renamed', LabelRenamed>
  | EventEnvelope<'month.held', MonthHeld>
  | EventEnvelope<'payee.added', PayeeAdded>
  | EventEnvelope<'payee.deleted', PayeeDeleted>
  | EventEnvelope<'payee.merged', PayeeMerged>
  | EventEnvelope<'payee.renamed', PayeeRenamed>
  | EventEnvelope<'transaction.changed', TransactionChanged>
  | EventEnvelope<'transaction.cleared', TransactionCleared>
  | EventEnvelope<'transaction.deleted', TransactionDeleted>
  | EventEnvelope<'transaction.entered', TransactionEntered>
  | EventEnvelope<'transaction.reconciled', TransactionReconciled>
  | EventEnvelope<'transaction.uncleared', TransactionUncleared>;

export type DomainEvent = SpaceEvent | BudgetEvent;

export const SPACE_EVENT_TYPES = [
  'space.created',
  'space.member-added',
  'space.member-removed',
  'space.renamed',
] as const;

export const BUDGET_EVENT_TYPES = [
  'account.closed',
  'account.deleted',
  'account.moved',
  'account.opened',
  'account.renamed',
  'account.reopened',
  'account.type-changed',
  'budget.archived',
  'budget.created',
  'budget.deleted',
  'budget.renamed',
  'category-group.added',
  'category-group.deleted',
  'category-group.hidden',
  'category-group.moved',
  'category-group.renamed',
  'category-group.shown',
  'category.added',
  'category.deleted',
  'category.hidden',
  'category.moved',
  'category.noted',
  'category.renamed',
  'category.shown',
  'envelope.assigned',
  'envelope.carryover-set',
  'label.added',
  'label.deleted',
  'label.renamed',
  'month.held',
  'payee.added',
  'payee.deleted',
  'payee.merged',
  'payee.renamed',
  'transaction.changed',
  'transaction.cleared',
  'transaction.deleted',
  'transaction.entered',
  'transaction.reconciled',
  'transaction.uncleared',
] as const;
