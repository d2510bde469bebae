// Which waits a change of a head wakes.
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import type { Db } from 'mongodb';
import { createLogger } from '../../../src/process/log.ts';
import { concerning, createPositionWatcher } from '../../../src/store/reading/position-watcher.ts';

/** Anna waits for 5 of b1, which is in s1 if she reaches it already. */
const waits = (space: string | null) => ({
  subject: 'b1',
  sequence: 5,
  owner: 'anna',
  spaceId: () => space,
});
const budget = (subject: string, sequence: number | null) => ({
  ...{ subject, sequence },
  isSpace: false,
  members: null,
});
const space = (subject: string, members: readonly string[] | null) => ({
  ...{ subject, members },
  sequence: 9,
  isSpace: true,
});

test('a change of the awaited stream, from the awaited sequence on', t => {
  for (const [change, wakes] of [
    [budget('b1', 4), false],
    [budget('b1', 5), true],
    [budget('b1', null), true],
    [budget('b2', 5), false],
  ] as const) {
    t.is(concerning(change)(waits('s1')), wakes, JSON.stringify(change));
  }
});

test('a change of a space that may begin or end the reach of the user, and of no other', t => {
  for (const [change, wakes] of [
    [space('s1', ['ben']), true],
    [space('s2', ['ben', 'anna']), true],
    [space('s2', ['ben']), false],
    [space('s2', null), true],
  ] as const) {
    t.is(concerning(change)(waits('s1')), wakes, JSON.stringify(change));
    t.true(concerning(change)(waits(null)), 'as long as the space is unknown');
  }
});

type Change = Parameters<typeof concerning>[0] & { readonly spaceId: string };

/**
 * A replica set whose members are behind the primary. As MongoDB does, it answers a majority read with the time of the
 * newest confirmed change, and each other command with the time of the newest one; change streams have the confirmed ones.
 */
function laggingSet() {
  const applied: Change[] = [];
  let confirmed = 0;
  const command = async ({ readConcern }: { readConcern?: { level: string } }) => ({
    operationTime: readConcern?.level === 'majority' ? confirmed : applied.length,
  });
  const watch = (_: unknown, { startAtOperationTime }: { startAtOperationTime: number }) => {
    const closing = new AbortController();
    return {
      close: async () => closing.abort(),
      async *[Symbol.asyncIterator]() {
        for (let next = startAtOperationTime; !closing.signal.aborted; ) {
          const change = next <= confirmed ? applied[next - 1] : undefined;
          if (next <= confirmed) next += 1;
          if (change) yield { collection: 'g1_heads', ...change };
          else await setImmediate();
        }
      },
    };
  };
  const collection = () => ({ findOne: async () => ({ active: 'g1' }) });
  return {
    db: { command, watch, collection } as unknown as Db,
    write: (...changes: Change[]) => void applied.push(...changes),
    confirm: () => {
      confirmed = applied.length;
    },
    shown: () => applied.slice(0, confirmed).at(-1)?.sequence ?? null,
  };
}

test('a change that is applied as the stream opens, and confirmed later, wakes the wait', async t => {
  const set = laggingSet();
  const change = { spaceId: 's1', ...budget('b1', 41) };
  set.write(change);
  set.confirm();
  const watcher = createPositionWatcher(set.db, createLogger('silent'));
  t.teardown(watcher.stop);
  set.write({ ...change, sequence: 42 }, { ...change, subject: 'b2', sequence: 42 });
  let reads = 0;
  const wait = { ...waits('s1'), sequence: 42, waitMs: 60_000 };
  const found = await watcher.waitFor(wait, async () => {
    reads += 1;
    const isConfirmed = set.shown() === 42;
    // What readers see when the stream opens is from before.
    if (reads === 2) set.confirm();
    return isConfirmed ? 'found' : null;
  });
  t.is(found, 'found');
  t.is(reads, 3);
});
