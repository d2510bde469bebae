// GET /changes: what a copy of the budget needs to become equal to it, page after page.
import type { ChangesQuery } from '../../../schemas/generated/queries.ts';
import { hasFutureRows } from '../../store/reading/queries/accounts.ts';
import {
  type ChangesCursor,
  cursorAt,
  expectedCursor,
  type MarkedBudget,
} from '../../store/reading/queries/change-cursor.ts';
import { BEFORE_CHANGES, isEndOfChanges } from '../../store/reading/queries/change-order.ts';
import {
  CHANGES_VERSION_MIN,
  type ChangesPage,
  readChanges,
} from '../../store/reading/queries/changes.ts';
import type { ReachedBudget } from '../../store/reading/queries/reach.ts';
import type { Reading } from '../../store/snapshot.ts';
import { badParameters, type ParameterProblem, upgrading } from '../api-error.ts';
import { formatCursor, parseCursor } from '../changes-cursor.ts';
import { ofBudget } from './answer-budget.ts';

export const changes = ofBudget<ChangesQuery>({
  rules: [checkCursor, waitsWithCursor],
  admit,
  dependsOn: (reached, today, { cursor = '', limit }) => [
    // Without these the tag of one page would match the next one.
    cursor,
    String(limit),
    ...(hasFutureRows(reached, today) ? [today] : []),
  ],
  news(query) {
    const cursor = givenCursor(query);
    if (cursor === null || query.wait === 0) return null;
    const isNew = ({ sequence }: ReachedBudget) =>
      sequence > cursor.position || !isEndOfChanges(cursor.place, sequence);
    return { ms: query.wait * 1000, isNew };
  },
  async read({ reading, reached, query, today }) {
    const { base, place } = givenCursor(query) ?? { base: reached.sequence, place: BEFORE_CHANGES };
    const { limit } = query;
    const page = await readChanges(reading, reached, { place, base, limit, today });
    const cursor = cursorAt(marked(reading, reached), { base, place: page.place });
    const text = formatCursor(cursor);
    return {
      body: bodyOf(page, text),
      next: page.hasMore ? { name: 'cursor', value: text } : null,
    };
  },
});

function checkCursor({ cursor }: Partial<ChangesQuery>): ParameterProblem | null {
  if (cursor === undefined || parseCursor(cursor) !== null) return null;
  return badCursor('as an answer of /changes gave it');
}

/** Without a cursor the answer is everything, so there is nothing to wait for. */
function waitsWithCursor(
  { wait = 0 }: Partial<ChangesQuery>,
  _today: string,
  isSent: (name: string) => boolean,
): ParameterProblem | null {
  if (wait === 0 || isSent('cursor')) return null;
  const message =
    'Expected wait only with cursor, got no cursor: without it there is nothing to wait for';
  return { param: 'wait', code: 'invalid_parameter', message };
}

/** Returns null without a cursor: the client knows nothing, and what was deleted before it asks is nothing to it. */
function givenCursor({ cursor }: ChangesQuery): ChangesCursor | null {
  return cursor === undefined ? null : parseCursor(cursor);
}

function marked({ version }: Reading, reached: ReachedBudget): MarkedBudget {
  return { ...reached, version: version ?? 0 };
}

function admit(reading: Reading, reached: ReachedBudget, query: ChangesQuery): void {
  if ((reading.version ?? 0) < CHANGES_VERSION_MIN) {
    throw upgrading('changes come');
  }
  const cursor = givenCursor(query);
  const expected = cursor && expectedCursor(marked(reading, reached), cursor);
  if (expected !== null) throw badParameters([badCursor(expected)]);
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
