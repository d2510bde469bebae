// Steps of two processes in the one order in which they used to do harm: each is forced in the real code.
import type { Db } from 'mongodb';
import { requestBuild, rollBack } from '../../src/generations/operate.ts';
import { runGenerations } from '../../src/generations/supervisor.ts';
import { createCollections, generationCollections } from '../../src/store/collections.ts';
import { isTransient } from '../../src/store/database-errors.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { loadHead } from '../../src/store/heads.ts';
import { changeRegistry, readRegistry } from '../../src/store/registry.ts';
import { NO_WRITES, openCommitSession } from '../../src/store/writing/commit.ts';
import { NotReadyError, switchGeneration } from '../../src/store/writing/switch-generation.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { beforeCalls, type DatabaseCall } from '../helpers/before-calls.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { budget, payee, steps } from '../model/scene.ts';
import { begun, opened } from './steady-load.ts';
import { never } from './supervised.ts';

const mongo = useMongo(test);

/** The first round reads the registry at its start, at least once meanwhile, and when it drops what is outdated. */
for (const before of [1, 2, 3, 4]) {
  test(`a rollback before the supervisor's registry read ${before} keeps the generation that answers`, async t => {
    const system = await opened(t, mongo);
    const { readModel } = system;
    for (const [index, id] of ['g1', 'g2'].entries()) {
      await changeRegistry(readModel, (read, now) =>
        switched(withNew(read, index + 1, now), id, now),
      );
      await createCollections(readModel, id);
      await readModel.collection(`${id}_accounts`).insertOne({ set: 'a mark' });
    }
    await system.ahead(7_200_000);
    const stopping = new AbortController();
    let reads = 0;
    let rollback: Promise<unknown> | undefined;
    const act = async ({ collection, method }: DatabaseCall) => {
      if (collection !== 'registry' || method !== 'findOne') return;
      reads += 1;
      // Whatever the supervisor has taken out before is gone: then there is nothing to roll back to.
      if (reads === before) rollback = rollBack(readModel).catch(() => {});
      // Reads at the same time wait too.
      await rollback;
      if (reads === before + 8) stopping.abort();
    };
    const context = { ...system.contextOf(2), rollbackMs: 60_000, eventLog: never(system) };
    await runGenerations({ ...context, database: beforeCalls(readModel, act) }, stopping.signal);
    const { active, generations } = await system.registry();
    t.true(generations.some(({ id }) => id === active));
    t.is(await readModel.collection(`${active}_accounts`).countDocuments(), 1);
    if (before <= 3) t.is(active, 'g1', 'the rollback came in time');
  });
}

test('a verifier that stands still beyond its lease does not fail the generation that another one made active', async t => {
  const system = await begun(t, mongo);
  const first = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  await first.stop();
  const { id } = await requestBuild(system.readModel, 1);
  const { accounts } = system.collectionsOf(id);
  let isDamaged = false;
  const damage = async () => {
    if (isDamaged || (await accounts.countDocuments()) === 0) return;
    isDamaged = true;
    await accounts.updateMany({}, { $inc: { cleared: 100 } });
  };
  let frozen: Promise<unknown> = Promise.resolve();
  let stoodStill = false;
  // The last step of a verification: its differences are known, and not yet noted.
  const settingsProblem = async () => {
    if (isDamaged && !stoodStill) {
      stoodStill = true;
      const other = standIn();
      frozen = other;
      await other;
    }
    return null;
  };
  const standIn = async () => {
    await system.ahead(60_000);
    await accounts.updateMany({}, { $inc: { cleared: -100 } });
    const second = system.deploy(1, { eventLog: never(system) });
    await system.until(({ active }) => active === id);
    await second.stop();
  };
  const frail = system.deploy(1, {
    database: beforeCalls(system.readModel, () => frozen),
    eventLog: { ...beforeScan(system.eventLog, damage), settingsProblem },
  });
  await system.until(({ active }) => active === id);
  await frail.stop();
  t.true(stoodStill);
  const { generations, failedVersions } = await system.registry();
  t.like(generations.at(-1), { id, state: 'active', reason: null });
  t.deepEqual(failedVersions, []);
});

/** Two generations in which an event beyond a gap holds a stream at sequence 3; g1 answers. */
async function held(): Promise<Db> {
  const db = mongo.database('held');
  for (const _ of ['g1', 'g2']) {
    const model = await createReadModel(db);
    await model.project('b1', budget('s1'), ...steps(2));
    await model.hold('b1', { ...payee('late'), sequence: 5 });
    const { active } = await readRegistry(db);
    if (active === null) await model.activate();
  }
  return db;
}

const headOf = (db: Db, generation: string) =>
  loadHead(generationCollections(db, generation).heads, 'b1');

/** Commits what a drain of g1 commits: it moves the head, and no checkpoint. */
async function drain(db: Db): Promise<void> {
  const loaded = await headOf(db, 'g1');
  if (!loaded) throw new Error('Expected a head');
  const heads = [{ loaded, now: { ...loaded, sequence: 5, held: null } }];
  const session = openCommitSession(db.client, generationCollections(db, 'g1'), false);
  await session.commit({ ...NO_WRITES, heads });
}

async function switchTo2(db: Db): Promise<void> {
  const read = await readRegistry(db);
  await switchGeneration(db, read, { to: 'g2', after: now => switched(read, 'g2', now) });
}

test('a drain cannot move a stream on between the check of a switch and its commit', async t => {
  const db = await held();
  const before = await headOf(db, 'g1');
  let conflict: unknown = null;
  let seen = 0;
  const act = async ({ collection, method }: DatabaseCall) => {
    if (collection !== 'registry' || method !== 'updateOne') return;
    conflict = await drain(db).catch(error => error);
    seen = (await headOf(db, 'g1'))?.sequence ?? 0;
  };
  await switchTo2(beforeCalls(db, act));
  t.is((await readRegistry(db)).active, 'g2');
  t.true(((await headOf(db, 'g2'))?.sequence ?? 0) >= seen, `a reader saw ${seen}`);
  t.true(isTransient(conflict), 'the drain tries again');
  t.deepEqual(await headOf(db, 'g1'), before, 'the switch leaves no trace');
  await drain(db);
  t.is((await headOf(db, 'g1'))?.sequence, 5);
});

test('a switch gives way to a drain that is under way, and then finds the stream behind', async t => {
  const db = await held();
  const session = db.client.startSession();
  session.startTransaction();
  const { heads } = generationCollections(db, 'g1');
  await heads.updateOne({ _id: 'b1' }, { $set: { sequence: 5, held: null } }, { session });
  t.true(isTransient(await t.throwsAsync(switchTo2(db))));
  await session.commitTransaction();
  await session.endSession();
  const refused = await t.throwsAsync(switchTo2(db), { instanceOf: NotReadyError });
  t.is(refused?.what, 'streams');
  t.is((await readRegistry(db)).active, 'g1');
});
