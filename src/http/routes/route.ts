// The shape of an endpoint: its rules and its handler. Everything around it is the same for all endpoints.
import type { TokenChecks } from '../../access/token-checks.ts';
import type { PositionWatcher } from '../../store/reading/position-watcher.ts';
import type { ReachedBudget } from '../../store/reading/queries/reach.ts';
import type { RoomySource } from '../../store/reading/queries/room.ts';
import type { ReadDatabase, Reading } from '../../store/snapshot.ts';
import type { Places } from '../bounds.ts';
import type { KeptBodies, KeptCompressed } from '../kept-pages.ts';
import type { KeptYears } from '../kept-years.ts';
import type { Body, ListPage, NextPage } from '../list-page.ts';
import type { Rule } from '../parameters.ts';
import type { ReadingTurns } from '../reading-turns.ts';
import type { Context } from '../request-state.ts';
import type { Streams } from '../streams/streams.ts';

export interface Endpoint<Query> {
  /** Rules over several parameters; the schema holds those for a single one. */
  readonly rules?: readonly Rule<Query>[];
  /** Answers a request that passed all checks. */
  readonly answer: (ctx: Context, query: Query, sources: Sources) => Promise<void>;
}

export interface Sources {
  readonly model: ReadModel;
  readonly clock: () => Date;
  /** The address under which people reach this service, without a path; empty where it is not configured. */
  readonly origin: string;
}

export interface ReadModel {
  readonly database: ReadDatabase;
  readonly watcher: PositionWatcher;
  /** The places of requests that wait for a position or a change. */
  readonly waits: Places;
  /** Room for large answers, in bytes. */
  readonly answers: Places;
  /** The readings of each person. */
  readonly turns: ReadingTurns;
  /** Ends streams and waits whose token is no longer active. */
  readonly checks: TokenChecks;
  readonly streams: Streams;
  /** Changes with the API's description, so that clients drop answers in an older form. */
  readonly contract: string;
  readonly bodies: KeptBodies;
  readonly compressed: KeptCompressed;
  readonly years: KeptYears;
}

/** The parameters that every endpoint of a budget has. */
export interface BudgetQuery {
  readonly budget_id: string;
  readonly 'X-Projection-Wait-For'?: number;
  readonly 'X-Projection-Wait-Seconds': number;
}

/** A resource that belongs to a budget. */
export interface BudgetRoute<Query extends BudgetQuery> {
  readonly rules?: readonly Rule<Query>[];
  /** Returns whether the ids that the query filters by exist; absent if no parameter filters by id. */
  readonly idsExist?: (reading: Reading, reached: ReachedBudget, query: Query) => Promise<boolean>;
  /** Returns whether there is what `read` would answer; asked where nothing is read, because the client has it already. */
  readonly exists?: (reading: Reading, reached: ReachedBudget, query: Query) => Promise<boolean>;
  /** Throws an ApiError if the budget as it is cannot answer the query; absent if it always can. */
  readonly admit?: (reading: Reading, reached: ReachedBudget, query: Query) => void;
  /** Whether `read` may refuse the query. */
  readonly mayRefuse?: true;
  /** Returns further parts of the ETag, on which the answer depends besides the budget's state. */
  readonly dependsOn?: (reached: ReachedBudget, today: string, query: Query) => readonly string[];
  /** Returns the wait for news that the query asks for; null if it does not wait. */
  readonly news?: (query: Query) => NewsWait | null;
  /** Whether clients may choose CSV instead of JSON. */
  readonly hasCsv?: true;
  /** Returns the body, or a page of a list that has pages; null if what the query names does not exist. */
  readonly read: (asked: BudgetReading<Query>) => Promise<Body | ListPage | null>;
}

/** A wait for an answer that tells the client something new. */
export interface NewsWait {
  /** The longest time to wait; then the answer is whatever there is. */
  readonly ms: number;
  /** Returns whether an answer from this state tells something new. */
  readonly isNew: (reached: ReachedBudget) => boolean;
}

export interface BudgetReading<Query> extends Pick<RoomySource, 'reading' | 'takeRoom'> {
  readonly reached: ReachedBudget;
  readonly query: Query;
  /** The date in UTC. */
  readonly today: string;
  readonly years: KeptYears;
  /** The client prefers CSV, and the route has it. */
  readonly asCsv: boolean;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Returns a page of the list with this name. `has_more` is true for a full page, even if no row follows. */
export function listPage(query: Page, name: string, rows: readonly object[]): ListPage {
  const { limit, offset } = query;
  const next = nextPage(query, rows.length);
  const pagination = { limit, offset, has_more: next !== null };
  return { body: JSON.stringify({ [name]: rows, pagination }), next };
}

/** Returns where the page after a page of so many rows begins, null if this one is not full. */
export function nextPage({ limit, offset }: Page, rows: number): NextPage | null {
  return rows === limit ? { name: 'offset', value: String(offset + limit) } : null;
}
