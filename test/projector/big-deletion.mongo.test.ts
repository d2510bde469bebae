// Deletions that are big changes: what they delete leaves tombstones in the new set, beside those of the old one.
import { writeShadowSet } from '../../src/projector/shadow/write-shadow-set.ts';
import { documentsOf } from '../../src/store/collections.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, payee, row, transfer } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { killedAfter } from './committing.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';

const BUDGET = 'budget-1';
/** Rows deleted one by one: their tombstones take three steps of a shadow set. */
const GONE = 4100;
/** Live rows: more than a transaction may change. */
const LIVE = 150;
const ROWS_MAX = 100;
const OWNER = 'killed';

const mongo = useMongo(test);

const deleted = (transactionId: string): Draft => ({
  type: 'transaction.deleted',
  data: { transactionId },
});
const ids = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** The account `old` was deleted before, and so were row `live-0` and payee `shop`: all of them are there again. */
const GIVEN: readonly Draft[] = [
  CREATED,
  account('home', true),
  account('old', true),
  payee('shop'),
  row('live-0', { accountId: 'old', payeeId: 'shop' }),
  { type: 'account.deleted', data: { accountId: 'old' } },
  { type: 'payee.deleted', data: { payeeId: 'shop' } },
  account('old', true),
  payee('shop'),
  ...ids('gone', GONE).flatMap(id => [row(id), deleted(id)]),
  ...ids('live', LIVE).map(id => row(id, { accountId: 'old', payeeId: 'shop' })),
  transfer('leg', ['home', 'old']),
  row('other'),
];

const BIG: readonly Draft[] = [
  { type: 'payee.deleted', data: { payeeId: 'shop' } },
  { type: 'account.deleted', data: { accountId: 'old' } },
];

const KINDS = ['accounts', 'payees', 'rows', 'tombstones'] as const;

/** Returns when each thing of the budget changed, and each tombstone. */
async function changes({ store, head }: PartitionScene): Promise<Record<string, number>> {
  const set = (await head(BUDGET))?.set ?? '';
  const found: [string, number][] = [];
  for (const kind of KINDS) {
    for await (const { _id, changed } of documentsOf(store.collections, kind).find({ set })) {
      found.push([`${kind} ${_id.slice(set.length + 1)}`, changed]);
    }
  }
  return Object.fromEntries(found);
}

function events(drafts: readonly Draft[]): object[] {
  const eventOf = eventMaker(BUDGET);
  return drafts.map(draft => eventOf(draft));
}

test('killed after every step, a big deletion leaves what one transaction would have left', async t => {
  const plain = await createPartitionScene(mongo.database('plain'));
  await plain.tell(...events([...GIVEN, ...BIG]));
  const expected = await changes(plain);

  const scene = await createPartitionScene(mongo.database('big'), { rowsMax: ROWS_MAX });
  await scene.tell(...events(GIVEN));
  const before = await scene.head(BUDGET);
  const all = events([...GIVEN, ...BIG]);
  const cursors: (string | null)[] = [];
  for (const [index, event] of all.slice(GIVEN.length).entries()) {
    const claimed = await scene.claim(OWNER);
    // The scene's own runner would write this shadow set too.
    scene.context.shadowSets.released(claimed.partition);
    scene.eventLog.add(event);
    const shadowSets = { ...scene.context.shadowSets, start: () => {} };
    const at = GIVEN.length + index;
    await scene.apply(claimed, scene.eventLog.records.slice(at), {
      context: {
        ...scene.context,
        shadowSets,
      },
    });
    t.like(await scene.head(BUDGET), { sequence: at, held: { why: 'change' } });
    const { store } = scene;
    for (let outcome: string | null = null; outcome !== 'done'; ) {
      const killed = killedAfter(store, 1);
      const { signal } = new AbortController();
      outcome = await writeShadowSet(killed, BUDGET, { owner: OWNER, signal }).catch(() => null);
      const shadowSet = await store.collections.shadowSets.findOne({ _id: BUDGET });
      if (shadowSet) cursors.push(shadowSet.cursor);
    }
    t.like(await scene.head(BUDGET), { sequence: at + 1, held: null });
  }
  const ofTombstones = cursors.filter(cursor => cursor?.startsWith('tombstones/'));
  t.is(ofTombstones.length, 6, `three steps for each: ${cursors.join(', ')}`);
  t.deepEqual(await changes(scene), expected);
  const [payeeGone, accountGone] = [GIVEN.length + 1, GIVEN.length + 2];
  t.is(expected['tombstones payee/shop'], payeeGone);
  t.is(expected['tombstones account/old'], accountGone);
  t.is(expected['tombstones transaction/live-0'], accountGone);
  t.is(expected['rows leg'], accountGone);
  t.is(expected['rows other'], GIVEN.length);
  t.is(expected['tombstones transaction/gone-0'], 11);
  const sets = await scene.store.collections.tombstones.distinct('set');
  t.false(sets.includes(before?.set ?? ''), 'the old sets are swept');
});
