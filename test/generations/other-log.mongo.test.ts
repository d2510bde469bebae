// A build from another log, or one that would bring a deleted budget back, does not replace the active generation.
import type { ExecutionContext } from 'ava';
import type { BudgetFields } from '../../projections/documents.ts';
import { newHead } from '../../projections/new-head.ts';
import {
  type GenerationCollections,
  generationCollections,
  type StoredCheckpoint,
} from '../../src/store/collections.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { writeHeads } from '../../src/store/heads.ts';
import { changeRegistry, readRegistry } from '../../src/store/registry.ts';
import { inSession } from '../../src/store/writing/commit-transaction.ts';
import { switchGeneration } from '../../src/store/writing/switch-generation.ts';
import { test } from '../helpers/file-test.ts';
import { ensureGeneration } from '../helpers/generation.ts';
import { useMongo } from '../helpers/mongo.ts';

const mongo = useMongo(test);

const CHECKPOINT = {
  _id: 0,
  epoch: 1,
  owner: 'test',
  sessions: [],
  next: 9,
  partitions: 2,
  fingerprints: [
    { offset: 0, hash: 'first' },
    { offset: 8, hash: 'ninth' },
  ],
} satisfies StoredCheckpoint;

const BUDGET: BudgetFields = {
  spaceId: 's1',
  name: 'Budget',
  nameKey: 'budget',
  currency: 'EUR',
  createdAt: '2026-01-01T00:00:00Z',
  archivedAt: null,
  lastDate: null,
  absolute: 0,
};

/** Two generations, of which the first is active. */
async function scene() {
  const db = mongo.newDatabase('other_log');
  const from = await ensureGeneration(db);
  const { made } = await changeRegistry(db, read => withNew(read, 1, new Date()));
  const to = `g${made}`;
  const [old, fresh] = [from, to].map(id => generationCollections(db, id));
  if (!(old && fresh)) throw new Error('Expected two generations');
  await old.checkpoints.insertOne(CHECKPOINT);
  return {
    old,
    fresh,
    async trySwitch() {
      const read = await readRegistry(db);
      await switchGeneration(db, read, { to, after: now => switched(read, to, now) });
      return (await readRegistry(db)).active;
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

async function isRefused(t: ExecutionContext, { trySwitch }: Scene, message: string) {
  await t.throwsAsync(trySwitch(), { name: 'NotReadyError', message });
}

/** Stores heads of budgets; true for a deleted one. */
async function writeBudgets(
  { heads }: GenerationCollections,
  budgets: Readonly<Record<string, boolean>>,
): Promise<void> {
  const changes = Object.entries(budgets).map(([id, deleted]) => {
    const budget = deleted ? null : BUDGET;
    return { loaded: null, now: { ...newHead(id, 0), sequence: 8, deleted, budget } };
  });
  await inSession(heads.db, session => writeHeads(heads, changes, session));
}

test('the fingerprints of a build from another log differ from those of the active generation', async t => {
  const at = await scene();
  const fingerprints = [
    { offset: 0, hash: 'another' },
    { offset: 11, hash: 'last' },
  ];
  await at.fresh.checkpoints.insertOne({ ...CHECKPOINT, next: 12, fingerprints });
  const other = 'Partition 0 of g2 is of another log than that of g1';
  await isRefused(t, at, `${other}: the record at offset 0 differs`);
  await at.fresh.checkpoints.updateOne({ _id: 0 }, { $set: { partitions: 3 } });
  await isRefused(t, at, `${other}: expected 2 partitions, got 3`);
  // As an operator does who goes over to another log.
  await at.old.checkpoints.updateMany({}, { $set: { next: 0 } });
  t.is(await at.trySwitch(), 'g2');
});

test('a build that is further in the same log is switched to', async t => {
  const at = await scene();
  const [first] = CHECKPOINT.fingerprints;
  const fingerprints = first ? [first, { offset: 11, hash: 'last' }] : [];
  await at.fresh.checkpoints.insertOne({ ...CHECKPOINT, next: 12, fingerprints });
  t.is(await at.trySwitch(), 'g2');
});

test('a budget that is deleted in the active generation alone keeps a build from its place', async t => {
  const at = await scene();
  await at.fresh.checkpoints.insertOne(CHECKPOINT);
  // The records of `erased` were left out of the log. `new` is deleted in the build alone, which is ahead.
  await writeBudgets(at.old, { both: true, erased: true, old: true, new: false });
  await writeBudgets(at.fresh, { both: true, old: false, new: true });
  await isRefused(t, at, 'Budget old is deleted in g1, but is at sequence 8 in g2');
  await at.fresh.heads.updateOne({ _id: 'old' }, { $set: { deleted: true, budget: null } });
  t.is(await at.trySwitch(), 'g2');
});
