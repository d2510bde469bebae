// The problems of an imported file: one error reports all of them with their places, in the words of somebody who has the
// file, and knows no events.
import { UserError } from '../process/errors.ts';

/** Further problems are only counted. */
const SHOWN_MAX = 50;

export interface ImportProblems {
  add(origin: string, problem: string): void;
  /** @throws UserError that lists the problems, if there are any */
  throwIfAny(): void;
}

export function createImportProblems(): ImportProblems {
  const lines: string[] = [];
  return {
    add: (origin, problem) => lines.push(`${origin}: ${problem}`),
    throwIfAny() {
      if (lines.length === 0) return;
      const more = lines.length > SHOWN_MAX ? [`and ${lines.length - SHOWN_MAX} more`] : [];
      throw new UserError(
        [...lines.slice(0, SHOWN_MAX), ...more, 'Nothing was imported'].join('\n'),
      );
    },
  };
}

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

/**
 * Says what is wrong with an event in the words of the file.
 *
 * @param reason a sentence of the check of events, such as `Expected data.memo to have at most 1000 characters`
 */
export function describeForFile(reason: string): string {
  return reason.replaceAll(/\bdata\.(\w+)/g, (_, field: string) => FIELDS[field] ?? `the ${field}`);
}
