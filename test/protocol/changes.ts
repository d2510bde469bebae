// A client that follows /changes while two generations apply the log and take turns at answering. The order of changes,
// the pages, the cursor and its refusal are the product's own functions; only the reads are modelled.

import { type SequenceRange, withSkipped } from '../../projections/skipped.ts';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { formatCursor, parseCursor } from '../../src/http/routes/changes.ts';
import {
  BEFORE_CHANGES,
  CHANGE_KINDS,
  type ChangeKind,
  type ChangePlace,
  type ChangesCursor,
  cursorAt,
  endOfChanges,
  expectedCursor,
  type MarkedBudget,
  mergeChanges,
  remainingAfter,
} from '../../src/store/reading/queries/change-order.ts';
import { copy, type Model, type Step } from './explore.ts';

/**
 * `Ra` and `Rb` enter or change a row, `Da` and `Db` delete it; `P` adds or renames the payee of all rows, `Dp` deletes
 * it. `U` is of a type, and `K` of a validity, that generations may read in different ways.
 */
export type ModelEvent = 'Ra' | 'Rb' | 'Da' | 'Db' | 'P' | 'Dp' | 'U' | 'K';

/** How a generation reads the events. */
interface Generation {
  readonly version: number;
  /** Whether `U` enters a row, or is of an unknown type. */
  readonly knowsU: boolean;
  /** Whether `K` is skipped by an operator's decision, or enters a row. */
  readonly skipsK: boolean;
}

const PLAIN: Generation = { version: PROJECTIONS_VERSION, knowsU: true, skipsK: false };

export interface ChangesScene {
  readonly alphabet: readonly ModelEvent[];
  readonly events: number;
  readonly switches: number;
  readonly limits?: readonly number[];
  /** After the first switch, one may lead to a generation that has applied less. */
  readonly stepsBack?: boolean;
  readonly first?: Partial<Generation>;
  readonly second?: Partial<Generation>;
  /** Whether a client may have to start again. */
  readonly refuses?: boolean;
}

/** A mended hole, to be opened again. */
export type ChangesHole = 'reading' | 'decisions' | 'position';

interface ClientState {
  log: ModelEvent[];
  /** How far each generation has applied the log. */
  applied: [number, number];
  active: 0 | 1;
  switched: number;
  /** What the client has, by id: the sequence that last changed it. */
  copy: Record<string, number>;
  cursor: string | null;
  bad: string | null;
}

export function changesModel(scene: ChangesScene, without?: ChangesHole): Model<ClientState> {
  const { alphabet, events, switches, limits = [1, 2], stepsBack, refuses } = scene;
  const generations = [
    { ...PLAIN, ...scene.first },
    { ...PLAIN, ...scene.second },
  ] as const;

  function* next(state: ClientState): Iterable<Step<ClientState>> {
    const after = (change: (state: ClientState) => void) => {
      const changed = copy(state);
      change(changed);
      return changed;
    };
    const { log, applied, active, switched } = state;
    for (const event of log.length < events ? alphabet : []) {
      if (isValid(log, event)) yield [`!append ${event}`, after(({ log }) => log.push(event))];
    }
    for (const one of [0, 1] as const) {
      if (applied[one] === log.length) continue;
      yield [`g${one + 1} applies`, after(({ applied }) => (applied[one] += 1))];
    }
    const other = active === 0 ? 1 : 0;
    const isAhead = applied[other] >= applied[active] || (stepsBack === true && switched > 0);
    if (switched < switches && isAhead) {
      const to = { active: other, switched: switched + 1 } as const;
      yield [`!g${other + 1} answers`, after(state => Object.assign(state, to))];
    }
    for (const limit of applied[active] === 0 ? [] : limits) {
      yield [`page of ${limit}`, after(state => ask(state, limit))];
    }
  }

  function ask(state: ClientState, limit: number): void {
    const generation = generations[state.active];
    const sequence = state.applied[state.active];
    const documents = documentsOf(state.log.slice(0, sequence), generation);
    const budget = { ...budgetOf(documents, generation), sequence };
    const given = state.cursor === null ? null : parseCursor(state.cursor);
    if (given === null && state.cursor !== null) throw new Error(`No cursor: ${state.cursor}`);
    if (given && expectedCursor(budget, given) !== null) {
      if (!refuses) state.bad = `a cursor was refused: ${state.cursor}`;
      Object.assign(state, { copy: {}, cursor: null });
      return;
    }
    const { place, base } = given ?? { place: BEFORE_CHANGES, base: sequence };
    const page = pageOf(documents, { place, base, sequence, limit });
    for (const id of page.deleted) delete state.copy[id];
    Object.assign(state.copy, Object.fromEntries(page.changed));
    state.copy = sorted(state.copy);
    state.cursor = formatCursor(cursorOf(budget, { base, place: page.place }));
    if (page.hasMore) return;
    const [has, should] = [state.copy, sorted(documents.living)].map(one => JSON.stringify(one));
    if (has !== should) state.bad = `at ${sequence} the client has ${has}, the budget ${should}`;
  }

  function budgetOf({ skipped }: Documents, { version }: Generation) {
    return {
      id: 'b',
      budget: { createdAt: '' },
      version: without === 'reading' ? PROJECTIONS_VERSION : version,
      skipped: without === 'decisions' ? [] : skipped,
    };
  }

  function cursorOf(
    budget: MarkedBudget,
    to: Pick<ChangesCursor, 'base' | 'place'>,
  ): ChangesCursor {
    const sequence = without === 'position' ? Math.max(to.base, to.place.changed) : budget.sequence;
    return cursorAt({ ...budget, sequence }, to);
  }

  return {
    init: () => [
      { log: [], applied: [0, 0], active: 0, switched: 0, copy: {}, cursor: null, bad: null },
    ],
    next,
    invariant: ({ bad }) => bad,
  };
}

function isValid(log: readonly ModelEvent[], event: ModelEvent): boolean {
  const { living } = documentsOf(log, PLAIN);
  if (event === 'Dp') return 'payee/p' in living;
  if (event === 'Da' || event === 'Db') return `transaction/${event[1]}` in living;
  return (event !== 'U' && event !== 'K') || !log.includes(event);
}

interface Documents {
  /** By `kind/id`: the sequence that last changed it. */
  readonly living: Record<string, number>;
  readonly tombstones: Record<string, number>;
  readonly skipped: readonly SequenceRange[];
}

function documentsOf(log: readonly ModelEvent[], { knowsU, skipsK }: Generation): Documents {
  const living: Record<string, number> = {};
  const tombstones: Record<string, number> = {};
  let skipped: readonly SequenceRange[] = [];
  const remove = (id: string, sequence: number) => {
    delete living[id];
    tombstones[id] = sequence;
  };
  log.forEach((event, index) => {
    const sequence = index + 1;
    if (event === 'U' ? knowsU : event[0] === 'R')
      living[`transaction/${event[1] ?? 'u'}`] = sequence;
    if (event === 'K' && skipsK) skipped = withSkipped(skipped, [sequence, sequence]);
    if (event === 'K' && !skipsK) living['transaction/k'] = sequence;
    if (event === 'Dp') remove('payee/p', sequence);
    else if (event[0] === 'D') remove(`transaction/${event[1]}`, sequence);
    if (event === 'P') living['payee/p'] = sequence;
    if (event !== 'P' && event !== 'Dp') return;
    for (const id of Object.keys(living)) if (id.startsWith('transaction')) living[id] = sequence;
  });
  return { living, tombstones, skipped };
}

interface Page {
  readonly changed: ReadonlyMap<string, number>;
  readonly deleted: readonly string[];
  readonly place: ChangePlace;
  readonly hasMore: boolean;
}

interface PageQuery {
  readonly place: ChangePlace;
  readonly base: number;
  readonly sequence: number;
  readonly limit: number;
}

function pageOf(documents: Documents, { place, limit, ...bounds }: PageQuery): Page {
  const streams = CHANGE_KINDS.map((of, kind) => {
    const remaining = remainingAfter(place, of, bounds);
    if (remaining === null) return [];
    const { after, within } = remaining;
    return stored(documents, of)
      .map(([id, changed]) => ({ changed, kind, id }))
      .filter(
        ({ changed, id }) =>
          changed > after || (changed === within?.changed && id > within.afterId),
      )
      .sort((a, b) => a.changed - b.changed || (a.id < b.id ? -1 : 1))
      .slice(0, limit + 1);
  });
  const whole = streams.map(changes => ({ changes, isCut: false }));
  const { changes, hasMore } = mergeChanges(whole, limit);
  const { changed: last, kind, id } = (hasMore && changes.at(-1)) || endOfChanges(bounds.sequence);
  const page = { changed: new Map<string, number>(), deleted: [] as string[] };
  for (const { kind, id, changed } of changes) {
    const prefix = PREFIXES[CHANGE_KINDS[kind] ?? 'rows'];
    if (prefix !== undefined) page.changed.set(`${prefix}${id}`, changed);
    else if (!(id in documents.living)) page.deleted.push(id);
  }
  return { ...page, place: { changed: last, kind, id }, hasMore };
}

const PREFIXES: { readonly [K in ChangeKind]?: string } = {
  payees: 'payee/',
  rows: 'transaction/',
};

/** Returns the documents of a kind by their ids within it. */
function stored({ living, tombstones }: Documents, kind: ChangeKind): [string, number][] {
  if (kind === 'tombstones') return Object.entries(tombstones);
  const prefix = PREFIXES[kind];
  return Object.entries(living).flatMap(([id, changed]) =>
    prefix && id.startsWith(prefix) ? [[id.slice(prefix.length), changed]] : [],
  );
}

function sorted(things: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(things).sort(([a], [b]) => (a < b ? -1 : 1)));
}
