// Says what is wrong with an event in the words of somebody who has the file, and knows no events.

const FIELDS: Readonly<Record<string, string>> = {
  userId: 'the user',
  spaceId: 'the space',
  accountId: 'the id of the account',
  groupId: 'the id of the group',
  categoryId: 'the id of the category',
  payeeId: 'the id of the payee',
  transactionId: 'the id of the transaction',
  labelIds: 'the labels',
  splitGroupId: 'the id of the split',
};

/** @param reason a sentence of the check of events, such as `Expected data.memo to have at most 1000 characters` */
export function describeForFile(reason: string): string {
  return reason.replaceAll(/\bdata\.(\w+)/g, (_, field: string) => FIELDS[field] ?? `the ${field}`);
}
