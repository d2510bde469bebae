// How clients follow what changes: GET /changes and /events.
import { createHash } from 'node:crypto';
import type { ChangesQuery, EventsQuery } from '../../../schemas/generated/queries.ts';
import { hasFutureRows } from '../../store/reading/queries/accounts.ts';
import {
  AFTER_KINDS,
  BEFORE_CHANGES,
  CHANGE_KINDS,
  type ChangePlace,
  type ChangesCursor,
  cursorAt,
  expectedCursor,
  isEndOfChanges,
  MARK_LETTERS,
  type MarkedBudget,
} from '../../store/reading/queries/change-order.ts';
import {
  CHANGES_VERSION_MIN,
  type ChangesPage,
  readChanges,
} from '../../store/reading/queries/changes.ts';
import type { ReachedBudget } from '../../store/reading/queries/reach.ts';
import type { Reading } from '../../store/snapshot.ts';
import { badParameters, type ParameterProblem, upgrading } from '../api-error.ts';
import { tokenOf } from '../middleware/authenticate.ts';
import { ofBudget } from './answer-budget.ts';
import type { Endpoint } from './route.ts';

/** GET /changes: what a copy of the budget needs to become equal to it, page after page. */
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
  async read({ reading, reached, query, today, takeRoom }) {
    const { base, place } = givenCursor(query) ?? { base: reached.sequence, place: BEFORE_CHANGES };
    const { limit } = query;
    const page = await readChanges({ reading, takeRoom }, reached, { place, base, limit, today });
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
  _query: Partial<ChangesQuery>,
  _today: string,
  isSent: (name: string) => boolean,
): ParameterProblem | null {
  if (!isSent('wait') || isSent('cursor')) return null;
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

/** GET /events: tells the positions of all budgets that the token reaches, for as long as the client listens. */
export const events: Endpoint<EventsQuery> = {
  async answer(ctx, _query, { model }) {
    await model.streams.open(ctx, tokenOf(ctx));
  },
};

// The cursor as text contains nothing of the stored form but sequences and ids, so it stays valid when the same events are
// projected again, elsewhere or by another version.
const FORM = '2';
const CHECK_LETTERS = 6;
const SEQUENCE = '([1-9][0-9]{0,9})';
const CURSOR = new RegExp(
  `^${FORM}\\.([A-Za-z0-9_-]{${MARK_LETTERS}})\\.${SEQUENCE}\\.${SEQUENCE}\\.${SEQUENCE}\\.([0-${AFTER_KINDS}])\\.(.*)$`,
);
const ID = '[A-Za-z0-9_.:~-]{1,128}';
const DOCUMENT_ID = new RegExp(`^${ID}$`);
const TOMBSTONE_ID = new RegExp(`^[a-zA-Z]{1,13}/${ID}$`);

export function formatCursor({ mark, base, position, place }: ChangesCursor): string {
  const text = [FORM, mark, base, position, place.changed, place.kind, place.id].join('.');
  return `${text}.${checkOf(text)}`;
}

/** Returns null for a text that no budget's cursor can be, such as a part of one. */
export function parseCursor(text: string): ChangesCursor | null {
  const end = text.length - CHECK_LETTERS - 1;
  const checked = text.slice(0, Math.max(0, end));
  if (text !== `${checked}.${checkOf(checked)}`) return null;
  const [, mark = '', base, position, changed, kind, id = ''] = CURSOR.exec(checked) ?? [];
  if (base === undefined) return null;
  const place = { changed: Number(changed), kind: Number(kind), id };
  return isPlaceId(place) ? { mark, base: Number(base), position: Number(position), place } : null;
}

function checkOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, CHECK_LETTERS);
}

function isPlaceId({ kind, id }: ChangePlace): boolean {
  if (kind === AFTER_KINDS) return id === '';
  return (CHANGE_KINDS[kind] === 'tombstones' ? TOMBSTONE_ID : DOCUMENT_ID).test(id);
}
