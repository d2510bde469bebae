// A big change of a budget with thousands of payees: what does not follow from rows is written in steps too, and another
// process goes on after any of them.

import { skipHeld } from '../../src/projector/operate/parked.ts';
import { writeShadowSet } from '../../src/projector/shadow/write-shadow-set.ts';
import type { CommitSession } from '../../src/store/writing/commit.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, payee, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const PAYEES = 4100;
const STEP_MAX = 2000;
const ROWS_MAX = 3;
const BUDGET = 'budget-1';

function story() {
  const eventOf = eventMaker(BUDGET) as (draft: object) => LogEvent;
  const rows = Array.from({ length: ROWS_MAX + 1 }, (_, index) => row(`row-${index}`));
  const payees = Array.from({ length: PAYEES }, (_, index) => payee(`p-${index}`));
  const before = [CREATED, account('home'), ...rows, ...payees].map(eventOf);
  eventOf(payee('missing'));
  const renamed = eventOf({ type: 'account.renamed', data: { accountId: 'home', name: 'New' } });
  return { before, renamed };
}

test('a large catalogue is written in steps, and each may be the last of a process', async t => {
  const { before, renamed } = story();
  const db = mongo.database('big_catalogue');
  // The change begins from the queue, and the first projector is gone by then.
  const stopping = new AbortController();
  const scene = await createPartitionScene(db, { rowsMax: ROWS_MAX, signal: stopping.signal });
  await scene.tell(...before);
  await scene.tell(renamed);
  stopping.abort();
  await scene.context.shadowSets.idle();
  const limits = { rowsMax: ROWS_MAX };
  await skipHeld(scene.store, BUDGET, { missing: true, limits, now: new Date() });
  const { store } = scene;
  const { shadowSets, payees } = store.collections;
  const sizes: number[] = [];
  // Each process gets one step done.
  for (let process = 0; (await shadowSets.countDocuments()) > 0; process += 1) {
    const owner = `process-${process}`;
    await shadowSets.updateOne({ _id: BUDGET }, { $set: { owner } });
    const dying = new AbortController();
    const session: CommitSession = {
      ...store.session,
      async commit(writes) {
        await store.session.commit(writes);
        let size = 0;
        for (const { inserts, updates } of writes.documents.values()) {
          size += [...inserts].length + updates.length;
        }
        sizes.push(size);
        dying.abort();
      },
    };
    await writeShadowSet({ ...store, session }, BUDGET, { owner, signal: dying.signal });
  }
  t.true(
    sizes.every(size => size <= STEP_MAX),
    String(sizes),
  );
  t.true(sizes.filter(size => size > 0).length >= 4, String(sizes));
  const next = await createPartitionScene(db, { eventLog: scene.eventLog });
  await next.project();
  const head = await next.head(BUDGET);
  t.like(head, { sequence: before.length + 2, held: null });
  t.is(await payees.countDocuments({ set: head?.set ?? '' }), PAYEES);
  const { accounts } = store.collections;
  t.like(await accounts.findOne({ _id: `${head?.set}/home` }), { name: 'New' });
});
