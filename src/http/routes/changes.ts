// GET /changes: what a copy of the budget needs to become equal to it, page after page.
import type { ChangesQuery } from '../../../schemas/generated/queries.ts';
import { hasFutureRows } from '../../read-store/queries/accounts.ts';
import { BEFORE_CHANGES } from '../../read-store/queries/change-order.ts';
import {
  CHANGES_VERSION_MIN,
  type ChangesPage,
  readChanges,
} from '../../read-store/queries/changes.ts';
import type { ReachedBudget } from '../../read-store/queries/reach.ts';
import type { Reading } from '../../read-store/snapshot.ts';
import { ofBudget } from '../answer-budget.ts';
import { badParameters, type ParameterProblem, unavailable } from '../api-error.ts';
import { type ChangesCursor, formatCursor, markOf, parseCursor } from '../changes-cursor.ts';

export const changes = ofBudget<ChangesQuery>({
  rules: [hasCursorForm],
  admit,
  dependsOn: (reached, today, { cursor = '', limit }) => [
    // Without these the tag of one page would match the next one.
    cursor,
    String(limit),
    ...(hasFutureRows(reached, today) ? [today] : []),
  ],
  async read({ reading, reached, query, today }) {
    const { mark, base, place } = cursorOf(reached, query);
    const { limit } = query;
    const page = await readChanges(reading, reached, { place, base, limit, today });
    return bodyOf(page, formatCursor({ mark, base, place: page.place }));
  },
});

function hasCursorForm({ cursor }: Partial<ChangesQuery>): ParameterProblem | null {
  if (cursor === undefined || parseCursor(cursor) !== null) return null;
  return badCursor('as an answer of /changes gave it');
}

/** Without a cursor, the client knows nothing, and what was deleted before it asks is nothing to it. */
function cursorOf(reached: ReachedBudget, { cursor }: ChangesQuery): ChangesCursor {
  const parsed = cursor === undefined ? null : parseCursor(cursor);
  return parsed ?? { mark: markOf(reached), base: reached.sequence, place: BEFORE_CHANGES };
}

function admit(reading: Reading, reached: ReachedBudget, query: ChangesQuery): void {
  if ((reading.version ?? 0) < CHANGES_VERSION_MIN) {
    throw unavailable('The service is being upgraded: changes come when that is done');
  }
  const { mark, base, place } = cursorOf(reached, query);
  const isBeyond = Math.max(base, place.changed) > reached.sequence;
  if (mark !== markOf(reached)) throw badParameters([badCursor('of this budget')]);
  if (isBeyond) throw badParameters([badCursor('up to the position of this budget')]);
}

function badCursor(expected: string): ParameterProblem {
  const message = `Expected cursor to be one ${expected}; start again without it`;
  return { param: 'cursor', code: 'invalid_parameter', message };
}

const COMMA = Buffer.from(',');

/** The texts of transactions go into the body as they are. */
function bodyOf(page: ChangesPage, cursor: string): Buffer {
  const { accounts, categoryGroups, categories, payees, labels, transactions } = page;
  const before = JSON.stringify({ accounts, categoryGroups, categories, payees, labels });
  const after = JSON.stringify({ deleted: page.deleted, cursor, has_more: page.hasMore });
  return Buffer.concat([
    Buffer.from(`${before.slice(0, -1)},"transactions":[`),
    ...transactions.flatMap((text, index) => (index === 0 ? text : [COMMA, text])),
    Buffer.from(`],${after.slice(1)}`),
  ]);
}
