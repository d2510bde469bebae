// The generation plans of a projector (rules/projecting.md#who-builds), case by case.
import test from 'ava';
import { withRequested } from '../../src/generations/operate.ts';
import {
  fedBy,
  outdated,
  switched,
  withAbandoned,
  withBuild,
  withFailure,
  withNew,
  withOwnFailure,
  without,
  withState,
} from '../../src/store/generation-plan.ts';
import type { Registry } from '../../src/store/registry.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;
const EMPTY: Registry = {
  active: null,
  generations: [],
  rejectedVersions: [],
  made: 0,
  revision: 0,
};

/** Returns a registry after deployments: each version was built and made active. */
function deployed(...versions: number[]): Registry {
  return versions.reduce((registry, version) => {
    const made = withNew(registry, version, NOW);
    return switched(made, made.generations.at(-1)?.id ?? '', NOW);
  }, EMPTY);
}

function later(ms: number): Date {
  return new Date(NOW.getTime() + ms);
}

test('on an empty database the first projector builds', t => {
  const registry = withBuild(EMPTY, 1, NOW);
  t.deepEqual(
    registry?.generations.map(({ id, version, state }) => [id, version, state]),
    [['g1', 1, 'building']],
  );
  t.is(registry?.active, null);
});

test('a projector continues a generation of its own version instead of making another', t => {
  t.is(withBuild(withNew(EMPTY, 1, NOW), 1, NOW), null);
  t.is(withBuild(deployed(1), 1, NOW), null);
});

test('a newer version builds beside the active one', t => {
  const registry = withBuild(deployed(1), 2, NOW);
  t.is(registry?.active, 'g1');
  t.deepEqual(
    registry?.generations.map(({ version, state }) => [version, state]),
    [
      [1, 'active'],
      [2, 'building'],
    ],
  );
});

test('a version older than the active one never builds by itself', t => {
  t.is(withBuild(deployed(2), 1, NOW), null);
  t.is(withBuild(withNew(EMPTY, 2, NOW), 1, NOW), null);
});

test('a rejected version builds only on request', t => {
  const rejected = { ...deployed(1), rejectedVersions: [2] };
  t.is(withBuild(rejected, 2, NOW), null);
  t.deepEqual(withNew(rejected, 2, NOW).rejectedVersions, []);
});

test('at most two generations exist', t => {
  t.is(withBuild(deployed(1, 2), 3, NOW), null);
});

test('a projector feeds only generations of its own version, even retired ones', t => {
  const registry = deployed(1, 2);
  t.deepEqual(
    fedBy(registry, 1).map(({ id }) => id),
    ['g1'],
  );
  t.deepEqual(
    fedBy(registry, 2).map(({ id }) => id),
    ['g2'],
  );
  t.deepEqual(fedBy(withState(registry, 'g1', { state: 'rejected' }), 1), []);
  t.deepEqual(fedBy(withState(registry, 'g1', { state: 'failed' }), 1), []);
});

test('a switch retires the formerly active generation', t => {
  const registry = deployed(1, 2);
  t.is(registry.active, 'g2');
  t.deepEqual(
    registry.generations.map(({ state, retiredAt }) => [state, retiredAt]),
    [
      ['retired', NOW],
      ['active', null],
    ],
  );
});

test('a retired generation is dropped after the rollback window, which is at least a minute', t => {
  const registry = deployed(1, 2);
  t.deepEqual(outdated(registry, later(HOUR_MS - 1), HOUR_MS), []);
  t.deepEqual(
    outdated(registry, later(HOUR_MS), HOUR_MS).map(({ id }) => id),
    ['g1'],
  );
  t.deepEqual(outdated(registry, later(59_999), 0), []);
  t.deepEqual(
    outdated(registry, later(60_000), 0).map(({ id }) => id),
    ['g1'],
  );
});

test('a failed generation is dropped a minute after its failure, however long the build took', t => {
  const building = withNew(deployed(1), 2, NOW);
  const failed = withFailure(building, 'g2', {
    reason: 'the test wants it so',
    now: later(HOUR_MS),
  });
  t.like(failed.generations[1], { state: 'failed', reason: 'the test wants it so' });
  t.deepEqual(outdated(failed, later(HOUR_MS + 59_999), 0), []);
  t.is(withBuild(failed, 2, later(HOUR_MS + 59_999)), null);
  t.deepEqual(
    outdated(failed, later(HOUR_MS + 60_000), HOUR_MS).map(({ id }) => id),
    ['g2'],
  );
  t.like(withBuild(without(failed, 'g2'), 2, later(HOUR_MS + 60_000)), { made: 3 });
});

test('the active generation is never dropped, whatever its state', t => {
  const odd = withState(deployed(1), 'g1', { state: 'retired', retiredAt: NOW });
  t.deepEqual(outdated(odd, later(10 * HOUR_MS), 0), []);
});

/** Returns the states of the generations with their versions. */
const states = (registry: Registry | null) =>
  registry?.generations.map(({ version, state }) => `${version} ${state}`);

test('a newer version replaces an older build, and never the reverse', t => {
  const building = withNew(deployed(1), 2, NOW);
  t.is(withBuild(building, 2, NOW), null);
  t.is(withBuild(withNew(deployed(1), 3, NOW), 2, NOW), null);
  const replaced = withBuild(building, 3, NOW);
  t.deepEqual(states(replaced), ['1 active', '2 failed']);
  t.like(replaced?.generations[1], { reason: 'Version 3 takes its place', replacedBy: 3 });
  // The same holds for a rebuild of the active version.
  t.deepEqual(states(withBuild(withNew(deployed(1), 1, NOW), 2, NOW)), ['1 active', '1 failed']);
});

test('a replaced build is dropped after its minute, together with the start of the newer build', t => {
  const [first, second] = [withNew(EMPTY, 1, NOW), withNew(deployed(1), 2, NOW)];
  for (const [building, version] of [
    [first, 2],
    [second, 3],
  ] as const) {
    const replaced = withBuild(building, version, NOW) ?? EMPTY;
    t.is(withBuild(replaced, version, later(59_999)), null);
    t.is(withBuild(replaced, version - 1, later(60_000)), null);
    t.deepEqual(outdated(replaced, later(119_999), 0), [], 'the newer version comes first');
    const begun = withBuild(replaced, version, later(60_000));
    t.like(begun?.generations.at(-1), { version, state: 'building' });
    t.is(begun?.generations.length, building.generations.length);
    t.is(outdated(replaced, later(120_000), 0).length, 1, 'the newer version may be gone');
  }
});

test('a version whose own build failed waits for an older one, so that they do not alternate', t => {
  const failed = withOwnFailure(withNew(deployed(1), 3, NOW), 'g2', {
    reason: 'the test',
    now: NOW,
  });
  const older = withNew(without(failed, 'g2'), 2, NOW);
  t.is(withBuild(older, 3, later(60_000)), null);
  t.deepEqual(withNew(older, 3, NOW).failedVersions, [], 'until an operator asks for it');
  const built = switched(older, 'g3', NOW);
  t.deepEqual(built.failedVersions, [3]);
  t.like(withBuild(without(built, 'g1'), 3, NOW), { made: 4 });
});

test('a retired generation blocks a newer version within its window', t => {
  t.is(withBuild(deployed(1, 2), 3, later(120_000)), null);
});

test('an abandoned build does not restart by itself, unless its version is active anyway', t => {
  const newer = withNew(deployed(1), 2, NOW);
  const [, build] = newer.generations;
  if (!build) throw new Error('Expected a build');
  const given = withAbandoned(newer, build, NOW);
  t.deepEqual([states(given), given.rejectedVersions], [['1 active', '2 failed'], [2]]);
  t.is(withBuild(without(given, 'g2'), 2, later(60_000)), null);
  t.like(withBuild(without(given, 'g2'), 3, later(60_000)), { made: 3 });
  t.deepEqual(withAbandoned(newer, { ...build, version: 1 }, NOW).rejectedVersions, []);
});

test('readers get a minute for what has retired, and no more after the clock was set back', t => {
  const registry = deployed(1, 2);
  const message = 'Generation g1 has just retired: try again in 30 s';
  t.throws(() => withRequested(registry, 2, later(30_000)), { message });
  for (const now of [later(60_000), later(-2 * HOUR_MS)]) {
    t.deepEqual(
      withRequested(registry, 2, now).generations.map(({ id }) => id),
      ['g2', 'g3'],
    );
  }
  // The window of a rollback is not cut short.
  t.deepEqual(outdated(registry, later(-2 * HOUR_MS), HOUR_MS), []);
});
