// What each followed user reaches, as it was last sent, and what a change makes necessary to read again (pure).
import type { HeadChangeEvent } from './head-stream.ts';
import type { BudgetPositions, Reach } from './queries/reached-positions.ts';

/** What a stream tells of a budget; `position` is null if the user no longer reaches it. */
export interface PositionChange {
  readonly budgetId: string;
  readonly position: number | null;
}

/** What is to be read again. */
export interface Stale {
  /** Users, with everything that they reach. */
  readonly owners: readonly string[];
  /** Budgets whose place in a space did not change: only their positions. */
  readonly budgets: readonly string[];
}

export interface ReachState {
  /** From now on the user is followed, and has to be read. */
  add(owner: string): void;
  remove(owner: string): void;
  /** Notes a change; null: any change may have been missed. */
  note(change: Pick<HeadChangeEvent, 'subject' | 'isSpace' | 'spaceId' | 'members'> | null): void;
  /** Returns what is stale, and counts it as fresh. */
  take(): Stale;
  isStale(): boolean;
  /** Counts as stale again, because it could not be read. */
  putBack(stale: Stale): void;
  /** Returns what is known of a user; later changes show in it. */
  positionsOf(owner: string): BudgetPositions;
  /** Stores what was read, and returns what changed by it for each user. */
  apply(
    reaches: ReadonlyMap<string, Reach>,
    positions: BudgetPositions,
    asked: Stale,
  ): ChangesByOwner;
}

export type ChangesByOwner = ReadonlyMap<string, readonly PositionChange[]>;

interface KnownReach extends Reach {
  readonly positions: Map<string, number>;
}

export function createReachState(): ReachState {
  const known = createKnownReaches();
  let staleOwners = new Set<string>();
  let staleBudgets = new Set<string>();
  /** What changes while users are read: the space of each changed stream, of a space itself; null where unknown. */
  let meanwhile: Map<string, string | null> | null = null;

  function markOwners(owners: Iterable<string>): void {
    for (const owner of owners) if (known.reaches.has(owner)) staleOwners.add(owner);
  }

  function mark(subject: string, space: string | null): void {
    if (known.byBudget.has(subject)) staleBudgets.add(subject);
    if (space !== null) markOwners(known.withoutBudget(space, subject));
  }

  return {
    add(owner) {
      if (!known.reaches.has(owner)) known.set(owner, { spaces: [], positions: new Map() });
      staleOwners.add(owner);
    },
    remove(owner) {
      known.set(owner, undefined);
      staleOwners.delete(owner);
    },
    note(change) {
      if (change === null) return markOwners(known.reaches.keys());
      const { subject, isSpace, spaceId, members } = change;
      const space = isSpace ? subject : spaceId;
      meanwhile?.set(subject, space ?? meanwhile.get(subject) ?? null);
      mark(subject, space);
      markOwners(members ?? []);
    },
    take() {
      const taken = { owners: [...staleOwners], budgets: [...staleBudgets] };
      staleOwners = new Set();
      staleBudgets = new Set();
      meanwhile = taken.owners.length > 0 ? new Map() : null;
      return taken;
    },
    isStale: () => staleOwners.size + staleBudgets.size > 0,
    putBack({ owners, budgets }) {
      meanwhile = null;
      markOwners(owners);
      for (const id of budgets) staleBudgets.add(id);
    },
    positionsOf: owner => known.reaches.get(owner)?.positions ?? new Map(),
    apply(read, positions, asked) {
      const changed = new Map<string, PositionChange[]>();
      const record = (owner: string, changes: readonly PositionChange[]) => {
        if (changes.length > 0) changed.set(owner, [...(changed.get(owner) ?? []), ...changes]);
      };
      for (const budgetId of asked.budgets) {
        const position = positions.get(budgetId) ?? null;
        for (const owner of [...(known.byBudget.get(budgetId) ?? [])]) {
          if (known.move(owner, budgetId, position)) record(owner, [{ budgetId, position }]);
        }
      }
      for (const [owner, reach] of read) record(owner, known.replace(owner, reach));
      // The snapshot may be older than these changes, and only the new reaches show which users they concern.
      for (const [subject, space] of meanwhile ?? []) mark(subject, space);
      meanwhile = null;
      return changed;
    },
  };
}

/** The known reaches of the followed users, and which users reach a budget or a space. */
function createKnownReaches() {
  const reaches = new Map<string, KnownReach>();
  const byBudget = new Map<string, Set<string>>();
  const bySpace = new Map<string, Set<string>>();

  function set(owner: string, reach: KnownReach | undefined): void {
    const before = reaches.get(owner);
    for (const id of before?.positions.keys() ?? []) unlink(byBudget, id, owner);
    for (const id of before?.spaces ?? []) unlink(bySpace, id, owner);
    if (reach === undefined) {
      reaches.delete(owner);
      return;
    }
    reaches.set(owner, reach);
    for (const id of reach.positions.keys()) link(byBudget, id, owner);
    for (const id of reach.spaces) link(bySpace, id, owner);
  }

  return {
    reaches,
    byBudget,
    set,
    /**
     * Returns the users of a space who do not know the budget yet. Others may: the snapshot of a user who was read later
     * has the budget before its change arrives.
     */
    withoutBudget(space: string, budgetId: string): string[] {
      const owners = [...(bySpace.get(space) ?? [])];
      return owners.filter(owner => !reaches.get(owner)?.positions.has(budgetId));
    },
    /** Returns what changes by it; nothing if the user was removed meanwhile. */
    replace(owner: string, reach: Reach): readonly PositionChange[] {
      const before = reaches.get(owner)?.positions;
      if (before === undefined) return [];
      const after = notBefore(before, reach.positions);
      set(owner, { ...reach, positions: after });
      return differences(before, after);
    },
    /** Returns whether the position of a budget that the user reaches changes by it. */
    move(owner: string, budgetId: string, position: number | null): boolean {
      const positions = reaches.get(owner)?.positions;
      if (position === null) {
        unlink(byBudget, budgetId, owner);
        return positions?.delete(budgetId) === true;
      }
      if (position <= (positions?.get(budgetId) ?? 0)) return false;
      positions?.set(budgetId, position);
      return true;
    },
  };
}

function link(index: Map<string, Set<string>>, id: string, owner: string): void {
  const owners = index.get(id) ?? new Set();
  index.set(id, owners.add(owner));
}

function unlink(index: Map<string, Set<string>>, id: string, owner: string): void {
  const owners = index.get(id);
  owners?.delete(owner);
  if (owners?.size === 0) index.delete(id);
}

/** A position that was sent never steps back while the budget is reached, whatever generation answers. */
function notBefore(known: BudgetPositions, read: BudgetPositions): Map<string, number> {
  return new Map([...read].map(([id, position]) => [id, Math.max(position, known.get(id) ?? 0)]));
}

function differences(before: BudgetPositions, after: BudgetPositions): PositionChange[] {
  const changed = [...after].filter(([id, position]) => before.get(id) !== position);
  const gone = [...before.keys()].filter(id => !after.has(id));
  return [
    ...gone.map(budgetId => ({ budgetId, position: null })),
    ...changed.map(([budgetId, position]) => ({ budgetId, position })),
  ];
}
