// A supervisor in the model of generations: its places, and what it does at each.
import {
  acquiredLease,
  findBuild,
  UNLEASED,
  withFailedBuild,
} from '../../src/generations/lease.ts';
import {
  fedBy,
  isBuild,
  outdated,
  switched,
  withBuild,
  withOwnFailure,
  without,
  withoutOutdated,
  withState,
} from '../../src/store/generation-plan.ts';
import { isDropped, type Registry } from '../../src/store/registry.ts';
import { copy, type Step } from './explore.ts';
import {
  EMPTY,
  MINUTE_MS,
  type State,
  type Supervisor,
  supervisor,
  thaw,
} from './generations-state.ts';
import {
  beginSwitch,
  change,
  commitSwitch,
  holdActive,
  isMended,
  release,
  type Scene,
  stepOf,
  timeOf,
} from './generations-steps.ts';

type Act = (s: State, p: Supervisor, by: string) => unknown;

/** Yields the steps of all supervisors. */
export function* supervise(scene: Scene, from: State): Generator<Step<State>> {
  const places = placesOf(scene);
  for (const [index, { at, version, build }] of from.supervisors.entries()) {
    const by = `S${index} of version ${version}`;
    const step = (label: string, act: Act) =>
      stepOf(from, `${by}: ${label}`, s => act(s, s.supervisors[index] as Supervisor, by));
    if (at !== 'verify') yield* step(at, places[at] as Act);
    if (at === 'begin' && from.hold === null)
      yield* step('hold', (s, _, holder) => holdActive(s, holder));
    if (at === 'verify') {
      yield* step('verified', (_, p) => goTo(p, 'switch'));
      if (build === scene.flawed) yield* step('differs', (_, p) => goTo(p, 'difference'));
    }
    if (from.restarts === (scene.restarts ?? 0) || at === 'plan') continue;
    yield* stepOf(from, `!${by}: restarts`, s => {
      s.restarts += 1;
      if (s.lock?.by === by) s.lock = null;
      s.supervisors[index] = supervisor(version);
    });
  }
}

function goTo(p: Supervisor, at: string): void {
  p.at = at;
}

/** What follows in a round once there is nothing to drop. */
function next({ build }: Supervisor): string {
  return build === null ? 'outdated' : 'catch up';
}

function placesOf(scene: Scene): Readonly<Record<string, Act>> {
  const rollbackMs = (scene.rollbackMinutes ?? 0) * MINUTE_MS;
  const dropsByRegistry = isMended(scene, 'drop by the registry');
  return {
    plan(s, p) {
      change(s, read => withBuild(read, p.version, timeOf(scene, s, p.version)));
      const registry = thaw(s.registry);
      const ids = registry.generations.map(({ id }) => id);
      p.fed = fedBy(registry, p.version).map(({ id }) => id);
      for (const id of p.fed) s.generations[id] ??= { ...EMPTY };
      p.build = registry.generations.find(isBuildOf(p))?.id ?? null;
      p.round = dropsByRegistry ? null : copy(s.registry);
      const isSmaller = p.named === null || p.named.some(id => !ids.includes(id));
      p.named = ids;
      goTo(p, isSmaller ? 'find leftovers' : next(p));
    },
    'find leftovers'(s, p) {
      const stand = Object.keys(s.generations).filter(id => !s.generations[id]?.isDropped);
      p.drop = stand.filter(id => isDropped(thaw(s.registry), id));
      goTo(p, p.drop.length > 0 ? 'drop' : next(p));
    },
    drop(s, p) {
      for (const id of p.drop) s.generations[id] = { ...EMPTY, isDropped: true };
      p.drop = [];
      goTo(p, next(p));
    },
    'catch up'(s, p) {
      const id = p.build ?? '';
      // How far it must be before it is verified is no matter of safety.
      const isThere = findBuild(thaw(s.registry), { id }) && s.generations[id];
      goTo(p, isThere ? 'take lease' : 'outdated');
    },
    'take lease'(s, p, by) {
      const id = p.build ?? '';
      const now = timeOf(scene, s, p.version);
      const isTaken = change(s, registry => {
        const own = findBuild(registry, { id });
        const fields = own ? acquiredLease(own, { lease: by, waitsFor: null, now }) : null;
        return fields && withState(registry, id, fields);
      });
      goTo(p, isTaken ? 'verify' : 'outdated');
    },
    difference(s, p, by) {
      const build = { id: p.build ?? '', lease: by };
      const failure = { reason: 'a difference', now: timeOf(scene, s, p.version) };
      const isGuarded = isMended(scene, 'lease guard');
      change(s, registry =>
        isGuarded
          ? withFailedBuild(registry, build, failure)
          : withOwnFailure(registry, build.id, failure),
      );
      goTo(p, 'give back');
    },
    switch(s, p, by) {
      const isOwn = findBuild(thaw(s.registry), { id: p.build ?? '', lease: by });
      p.read = isOwn ? copy(s.registry) : null;
      goTo(p, isOwn ? 'begin' : 'give back');
    },
    begin(s, p, by) {
      const begun = beginSwitch(s, by, p.build ?? '');
      if (begun === 'conflict') return false;
      return goTo(p, begun === 'begun' ? 'commit' : 'give back');
    },
    commit(s, p) {
      const after = (read: Registry) => switched(read, p.build ?? '', timeOf(scene, s, p.version));
      goTo(p, commitSwitch(s, p, after) ? 'give back' : 'switch');
    },
    'give back'(s, p, by) {
      const build = { id: p.build ?? '', lease: by };
      change(s, registry =>
        findBuild(registry, build) ? withState(registry, build.id, UNLEASED) : null,
      );
      p.read = null;
      release(s, by);
      goTo(p, 'outdated');
    },
    outdated(s, p) {
      p.build = null;
      goTo(p, 'plan');
      const now = timeOf(scene, s, p.version);
      if (dropsByRegistry) change(s, registry => withoutOutdated(registry, now, rollbackMs));
      else if (p.round) {
        p.drop = outdated(thaw(p.round), now, rollbackMs).map(({ id }) => id);
        if (p.drop.length > 0) goTo(p, 'unregister');
      }
      p.round = null;
    },
    // Only of a supervisor that drops what the round's beginning called outdated.
    unregister(s, p) {
      change(s, registry => {
        const ids = p.drop.filter(id => id !== registry.active);
        return ids.length === 0 ? null : ids.reduce(without, registry);
      });
      goTo(p, 'drop');
    },
  };
}

function isBuildOf({ version }: Supervisor) {
  return (one: Registry['generations'][number]) => isBuild(one) && one.version === version;
}
