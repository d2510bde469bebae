// Small chunks of several partitions share transactions (rules/projecting.md#small-chunks-together).
import test from 'ava';
import { FencedError, StaleError } from '../../../src/store/database-errors.ts';
import {
  type CommitSession,
  type FoldWrites,
  NO_WRITES,
} from '../../../src/store/writing/commit.ts';
import { createCommitGroup, joined } from '../../../src/store/writing/commit-group.ts';

interface Commit {
  readonly writes: FoldWrites;
  readonly endsParts: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A session whose commits end when the test says so. */
function heldSession() {
  const commits: Commit[] = [];
  const session: CommitSession = {
    ids: [],
    commit: (writes, endsParts = false) =>
      new Promise((resolve, reject) => commits.push({ writes, endsParts, resolve, reject })),
    writePart: async () => {},
    abortParts: async () => {},
  };
  return { commits, session };
}

function chunk(partition: number, more: Partial<FoldWrites> = {}): FoldWrites {
  const checkpoint = { partition, epoch: 1, from: 0, to: 1, fingerprints: [] };
  return { ...NO_WRITES, checkpoints: [checkpoint], ...more };
}

const documentsOf = (count: number): FoldWrites['documents'] =>
  new Map([['accounts', { inserts: [], updates: [], deletes: Array(count).fill('id') }]]);

const partitionsOf = ({ writes }: Commit) => writes.checkpoints.map(({ partition }) => partition);

const allRan = () => new Promise(resolve => setImmediate(resolve));

test('chunks that come while a transaction is under way share the next one', async t => {
  const { commits, session } = heldSession();
  const group = createCommitGroup(session);
  const done = [0, 1, 2].map(partition => group.commit(chunk(partition), false));
  t.deepEqual(commits.map(partitionsOf), [[0]]);
  commits[0]?.resolve();
  await done[0];
  await allRan();
  t.deepEqual(commits.map(partitionsOf), [[0], [1, 2]]);
  commits[1]?.resolve();
  await Promise.all(done);
  const last = group.commit(chunk(0), false);
  t.deepEqual(commits.map(partitionsOf), [[0], [1, 2], [0]]);
  commits[2]?.resolve();
  await last;
});

test('together they write what each of them writes, and each inserts when it is sent', async t => {
  const { commits, session } = heldSession();
  const group = createCommitGroup(session);
  const head = (id: string) => ({ loaded: null, now: { id } }) as unknown as FoldWrites['heads'][0];
  const rows = (...ids: string[]): FoldWrites['documents'] =>
    new Map([['rows', { inserts: ids.map(_id => ({ _id })), updates: [], deletes: ids }]]);
  const done = [
    group.commit(chunk(0), false),
    group.commit(chunk(1, { heads: [head('b1')], documents: rows('r1') }), false),
    group.commit(chunk(2, { heads: [head('b2')], documents: documentsOf(1) }), false),
    group.commit(chunk(3, { documents: rows('r2', 'r3') }), false),
  ];
  commits[0]?.resolve();
  await allRan();
  const { heads, documents } = commits[1]?.writes ?? NO_WRITES;
  t.deepEqual(
    heads.map(({ now }) => now.id),
    ['b1', 'b2'],
  );
  t.deepEqual([...documents.keys()], ['rows', 'accounts']);
  const { inserts = [], deletes } = documents.get('rows') ?? {};
  t.deepEqual([...inserts], [{ _id: 'r1' }, { _id: 'r2' }, { _id: 'r3' }]);
  t.deepEqual(deletes, ['r1', 'r2', 'r3']);
  commits[1]?.resolve();
  await Promise.all(done);
});

test('a chunk alone shares with none before it and none after it, and fifty are the most', async t => {
  const { commits, session } = heldSession();
  const group = createCommitGroup(session);
  const done = Array.from({ length: 56 }, (_, partition) =>
    group.commit(chunk(partition), partition === 3),
  );
  for (let at = 0; at < 5; at += 1) {
    commits[at]?.resolve();
    await allRan();
  }
  await Promise.all(done);
  t.deepEqual(
    commits.map(partitionsOf).map(({ length }) => length),
    [1, 2, 1, 50, 2],
  );
});

test('where one of several is refused, each tries again; one alone learns that it is fenced', async t => {
  const { commits, session } = heldSession();
  const group = createCommitGroup(session);
  const done = [0, 1, 2].map(partition => group.commit(chunk(partition), false));
  commits[0]?.reject(new FencedError('Partition 0 is lost'));
  await t.throwsAsync(async () => await done[0], { instanceOf: FencedError });
  await allRan();
  commits[1]?.reject(new FencedError('a checkpoint'));
  const message = 'One of these was refused: a checkpoint';
  for (const one of done.slice(1)) await t.throwsAsync(one, { instanceOf: StaleError, message });
  const failed = [0, 1].map(partition => group.commit(chunk(partition), true));
  commits[2]?.reject(new Error('unavailable'));
  await t.throwsAsync(async () => await failed[0], { message: 'unavailable' });
  await allRan();
  commits[3]?.resolve();
  await t.notThrowsAsync(async () => await failed[1]);
});

/** Commits one after another in a partition that joined a group, and says where each of them was committed. */
async function placesOf(...all: readonly (readonly [FoldWrites, isRefused?: boolean])[]) {
  const places: string[] = [];
  const sessionOf = (name: string): CommitSession => ({
    ...heldSession().session,
    commit: async (_writes, endsParts = false) => {
      places.push(endsParts ? `${name}, parts` : name);
      if (all[places.length - 1]?.[1]) throw new Error('refused');
    },
  });
  const session = joined(sessionOf('own'), createCommitGroup(sessionOf('group')));
  for (const [writes] of all) await session.commit(writes).catch(() => {});
  return places;
}

test('only small chunks of documents and heads join', async t => {
  const parked = { id: 'b1', held: { why: 'parked', entry: 'e1' } };
  const others: Partial<FoldWrites>[] = [
    { checkpoints: [] },
    { waiting: [{} as never] },
    { done: ['entry'] },
    { erased: ['b1'] },
    { swept: ['set'] },
    { quarantined: [{} as never] },
    { begunSets: [{} as never] },
    { shadowStep: {} as never },
    { also: async () => {} },
    { documents: documentsOf(301) },
    { checkpoints: [{ partition: 0, epoch: 1, from: 5, to: 306, fingerprints: [] }] },
    { heads: [{ loaded: null, now: parked as never }] },
  ];
  const places = await placesOf(
    [chunk(0)],
    [chunk(0, { documents: documentsOf(300) })],
    ...others.map(more => [chunk(0, more)] as const),
  );
  t.deepEqual(places, ['group', 'group', ...others.map(() => 'own')]);
});

test('after a failure the next commit is in the same session, until one succeeds', async t => {
  const large = chunk(0, { documents: documentsOf(301) });
  const places = await placesOf(
    [chunk(0), true],
    [large, true],
    [large],
    [large, true],
    [chunk(0)],
    [chunk(0)],
  );
  t.deepEqual(places, ['group', 'group', 'group', 'own', 'own', 'group']);
});

test('after parts that failed or were dropped the next commit is in their session: it ends a transaction that got lost', async t => {
  for (const fails of [true, false]) {
    const { commits, session } = heldSession();
    const writePart = () => (fails ? Promise.reject(new Error('refused')) : Promise.resolve());
    const grouped = heldSession();
    const one = joined({ ...session, writePart }, createCommitGroup(grouped.session));
    await one.writePart(chunk(0), true).catch(() => one.ids);
    if (!fails) await one.abortParts();
    for (const held of [commits, grouped.commits]) {
      const committing = one.commit(chunk(0));
      t.deepEqual(held.map(partitionsOf), [[0]]);
      held[0]?.resolve();
      await committing;
    }
  }
});

test('the end of a transaction with parts is in the session of the parts', async t => {
  const { commits, session } = heldSession();
  const group = createCommitGroup(heldSession().session);
  const committing = joined(session, group).commit(chunk(0), true);
  t.deepEqual(
    commits.map(({ endsParts }) => endsParts),
    [true],
  );
  commits[0]?.resolve();
  await committing;
});
