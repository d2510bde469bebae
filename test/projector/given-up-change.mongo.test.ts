// A big change whose turn comes because the sequence before it was given up: what arrives later with that sequence is a
// duplicate, before the change is written and after.
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, payee, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const ROWS_MAX = 3;
const SKIP = { missing: true, limits: { rowsMax: ROWS_MAX }, now: new Date() };

for (const renamed of [true, false]) {
  const change = renamed
    ? { type: 'account.renamed', data: { accountId: 'home', name: 'New' } }
    : { type: 'account.deleted', data: { accountId: 'home' } };
  test(`${change.type} after a sequence that was given up, which comes late`, async t => {
    const scene = await createPartitionScene(mongo.database(`given_up_${renamed}`), {
      rowsMax: ROWS_MAX,
    });
    const eventOf = eventMaker('budget-1') as (draft: object) => LogEvent;
    const rows = Array.from({ length: ROWS_MAX + 1 }, (_, index) => row(`row-${index}`));
    const before = [CREATED, account('home'), ...rows].map(eventOf);
    const [late, big] = [eventOf(payee('late')), eventOf(change)];
    await scene.tell(...before);
    await scene.tell(big);
    const at = before.length;
    t.like(await scene.head('budget-1'), { sequence: at, held: { why: 'gap' } });
    await skipHeld(scene.store, 'budget-1', SKIP);
    const { shadowSets, payees } = scene.store.collections;
    t.is(await shadowSets.countDocuments(), 1);
    const held = await scene.head('budget-1');
    t.like(held, { sequence: at + 1, skipped: [[at + 1, at + 1]], held: { why: 'change' } });
    // Before a projector writes the change.
    scene.eventLog.add(late);
    await scene.project();
    await scene.context.shadowSets.idle();
    const sequence = at + 2;
    t.like(await scene.head('budget-1'), { sequence, held: null, skipped: [[at + 1, at + 1]] });
    t.is(await payees.countDocuments(), 0);
    t.is(await shadowSets.countDocuments(), 0);
    await scene.tell(late);
    t.like(await scene.head('budget-1'), { sequence, held: null });
  });
}
