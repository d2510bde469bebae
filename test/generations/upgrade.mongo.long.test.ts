// From version 2 of the projections, whose documents have no `changed` and which leaves no tombstones, and from version 4,
// which stores no sums by month: today's is built beside it under load, takes over, and is rolled back from.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { requestBuild, rollBack } from '../../src/generations/operate.ts';
import { progressOf } from '../../src/projector/catch-up.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { payee, row } from '../model/scene.ts';
import { eventMaker, FURNISHED } from '../projections/story.ts';
import { addedDocuments, asVersion, type Earlier, sessionOf } from '../store/as-version.ts';
import { BUDGET, begun, differences, USER, underLoad } from './steady-load.ts';
import type { Supervised } from './supervised.ts';

const mongo = useMongo(test);

const OTHER = 'budget-2';

const RENAMED: readonly Draft[] = [
  { type: 'payee.renamed', data: { payeeId: 'shop', name: 'Corner' } },
  { type: 'category.renamed', data: { categoryId: 'food', name: 'Eat' } },
  { type: 'account.renamed', data: { accountId: 'home', name: 'Giro' } },
];
const DELETED: readonly Draft[] = [
  row('row-2', { payeeId: 'shop', labelIds: ['red'] }),
  { type: 'transaction.cleared', data: { transactionIds: ['row-1', 'row-2'] } },
  { type: 'transaction.deleted', data: { transactionId: 'row-1' } },
  { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } },
  payee('shop'),
  { type: 'category.deleted', data: { categoryId: 'tax', replacementCategoryId: null } },
  { type: 'category-group.deleted', data: { groupId: 'direct' } },
  { type: 'label.deleted', data: { labelId: 'blue' } },
  { type: 'account.deleted', data: { accountId: 'house' } },
];

/** The sequence of the last event of the other budget. */
const LAST = FURNISHED.length + RENAMED.length + DELETED.length;

/** Returns a function that appends the next events of the other budget. */
function teller(system: Supervised): (drafts: readonly Draft[]) => Promise<unknown> {
  const eventOf = eventMaker(OTHER);
  return drafts => system.append(drafts.map(draft => eventOf(draft)));
}

const PATHS = ['accounts', 'transactions', 'payees', 'labels', 'categories?include_hidden=true'];

/** Returns the answers about both budgets, with their positions. */
async function answers({ address, token }: Supervised): Promise<string[]> {
  const headers = { authorization: `Bearer ${await token(USER)}` };
  const found: string[] = [];
  for (const id of [BUDGET, OTHER]) {
    for (const path of PATHS) {
      const url = `${address}/${path}${path.includes('?') ? '&' : '?'}budget_id=${id}`;
      const response = await fetch(url, { headers });
      const position = response.headers.get('x-projection-position');
      found.push(`${response.status} ${position} ${await response.text()}`);
    }
  }
  return found;
}

/** Returns the status of an answer that needs today's version. */
async function sumsStatus({ address, token }: Supervised): Promise<number> {
  const headers = { authorization: `Bearer ${await token(USER)}` };
  return (await fetch(`${address}/sums?budget_id=${OTHER}&group_by=payee`, { headers })).status;
}

async function caughtUp({ collectionsOf, eventLog }: Supervised, generation: string) {
  for (;;) {
    const { applied, total } = await progressOf(collectionsOf(generation), eventLog);
    if (applied >= total) return;
    await sleep(20);
  }
}

/** Starts a projector of an earlier version, which goes on with what that version has stored. */
function deployEarlier(system: Supervised, version: Earlier) {
  return system.deploy(version, {
    openStore: generation => {
      const store = system.openStore(generation);
      return { ...store, session: sessionOf(version, store.session) };
    },
  });
}

/** A read model that an earlier version has built and that answers. */
async function builtBy(version: Earlier, t: ExecutionContext) {
  const system = await begun(t, mongo);
  const tell = teller(system);
  await tell([...FURNISHED, ...RENAMED]);
  const builder = system.deploy(version);
  await system.until(({ active }) => active === 'g1');
  await builder.stop();
  await asVersion(version, system.collectionsOf('g1'));
  return { system, tell };
}

for (const version of [2, 4] as const) {
  test(`a store of version ${version} is upgraded beside what answers, rolled back, and upgraded again`, async t => {
    const { system, tell } = await builtBy(version, t);
    const added = (generation: string) => addedDocuments(version, system.collectionsOf(generation));
    const old = deployEarlier(system, version);
    t.is(await sumsStatus(system), 503);
    const load = await underLoad(t, system);
    await load.answered(20);
    const fresh = system.deploy(PROJECTIONS_VERSION);
    await tell(DELETED);
    await system.until(({ active }) => active === 'g2');
    await load.answered(60);
    t.is(await differences(system), 0);
    t.is(await added('g1'), 0);
    t.true((await added('g2')) > 300);
    t.is(await sumsStatus(system), 200);
    const { heads, tombstones } = system.collectionsOf('g2');
    while ((await heads.countDocuments({ _id: OTHER, sequence: LAST })) === 0) await sleep(20);
    t.deepEqual(
      (await tombstones.find().toArray()).map(({ id, changed }) => [id, changed]).sort(),
      [
        ['account/house', 30],
        ['category/tax', 27],
        ['categoryGroup/direct', 28],
        ['label/blue', 29],
        ['payee/shop', 25],
        ['transaction/row-1', 24],
      ],
    );

    const { from, to } = await rollBack(system.readModel);
    t.deepEqual([from.id, to.id], ['g2', 'g1']);
    await load.answered(100);
    await load.stop();
    t.is(await added('g1'), 0);
    t.is(await sumsStatus(system), 503);
    await caughtUp(system, 'g1');
    const { sequence } = (await system.collectionsOf('g1').heads.findOne({ _id: OTHER })) ?? {};
    t.is(sequence, LAST);

    await system.ahead(120_000);
    await system.until(({ generations }) => generations.length === 1);
    const beforeSwitch = await answers(system);
    const { id } = await requestBuild(system.readModel, PROJECTIONS_VERSION);
    await system.until(({ active }) => active === id);
    t.is(await differences(system), 0);
    t.deepEqual(await answers(system), beforeSwitch);
    await Promise.all([old.stop(), fresh.stop()]);
  });
}
