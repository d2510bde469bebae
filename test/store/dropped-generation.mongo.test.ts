// A reader whose generation is dropped while it stands still: its snapshot has no collections any more.
import type { Db } from 'mongodb';
import { without } from '../../src/store/generation-plan.ts';
import { findSpacesOf } from '../../src/store/reading/queries/reach.ts';
import { inReach } from '../../src/store/reading/reach-together.ts';
import { changeRegistry, dropLeftovers } from '../../src/store/registry.ts';
import { DroppedError, inActive, inSnapshot } from '../../src/store/snapshot.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { account, budget, space } from '../model/scene.ts';

const mongo = useMongo(test);

const queryMsMax = 30_000;
const realNow = Date.now;

test.afterEach.always(() => {
  Date.now = realNow;
});

/** Generation g1 answers; `replace` makes g2 answer with one account more, and drops g1, while this process stands still. */
async function scene() {
  const db = mongo.database('dropped');
  const first = await createReadModel(db);
  const second = await createReadModel(db);
  for (const { project } of [first, second]) {
    await project('s1', ...space(['anna']));
    await project('b1', budget('s1'), account('home'));
  }
  await second.project('b1', account('car'));
  await first.activate();
  let isReplaced = false;
  const replace = async () => {
    if (isReplaced) return;
    isReplaced = true;
    await second.activate();
    await changeRegistry(db, registry => without(registry, 'g1'));
    await dropLeftovers(db);
    Date.now = () => realNow() + 61_000;
  };
  return { db, replace };
}

const accountsIn = (db: Db, replace: () => Promise<void>) => {
  const options = { db, queryMsMax, signal: new AbortController().signal };
  return inReach(options, { owner: 'anna', budgetId: 'b1' }, async (reading, reached) => {
    await replace();
    const { accounts } = reading.collections;
    const found = await accounts.find({ set: reached?.set ?? '' }, reading.options).toArray();
    return found.length;
  });
};

test.serial('a request about a budget is answered from the next generation', async t => {
  const { db, replace } = await scene();
  t.is(await accountsIn(db, replace), 2);
});

test.serial('nothing is called missing because its generation is', async t => {
  const { db, replace } = await scene();
  const options = { db, queryMsMax, signal: new AbortController().signal };
  const question = { owner: 'anna', budgetId: 'b1' };
  const found = await inReach(options, question, async ({ collections, options: within }) => {
    await replace();
    if (!(await collections.accounts.findOne({ id: 'home' }, within))) throw new Error('not found');
    return 'found';
  });
  t.is(found, 'found');
});

test.serial('a list of budgets comes from the next generation', async t => {
  const { db, replace } = await scene();
  const spaces = await inActive({ db, queryMsMax }, async reading => {
    await replace();
    return await findSpacesOf(reading, 'anna');
  });
  t.deepEqual(
    spaces?.map(({ budgets }) => budgets.map(({ sequence }) => sequence)),
    [[3]],
  );
});

test.serial('a command that reads one generation says that it was dropped', async t => {
  const { db, replace } = await scene();
  const reading = inSnapshot({ db, generation: 'g1', queryMsMax }, async reading => {
    await replace();
    return await findSpacesOf(reading, 'anna');
  });
  await t.throwsAsync(reading, {
    instanceOf: DroppedError,
    message: 'Generation g1 was dropped meanwhile: run it again',
  });
});
