// Records that no document of the database can hold: they park their stream or are quarantined by size and hash, and an
// operator's command skips them.
import { createHash } from 'node:crypto';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { type Placed, placedLog } from './log-in-memory.ts';
import { createPlacedProjector } from './placed-projector.ts';

const mongo = useMongo(test);

const BUDGET = 'budget-1';
const SKIP = { missing: false, limits: { rowsMax: 20_000 }, now: new Date() };
const MEGABYTES_17 = 17 * 2 ** 20;

/** Returns an event with so much in a field that is ignored. */
function largeEvent(event: object): Uint8Array {
  const ignored = 'x'.repeat(MEGABYTES_17);
  return Buffer.from(JSON.stringify({ ...event, ignored }));
}

const LARGE: Readonly<Record<string, (event: object) => Uint8Array>> = {
  'an event': largeEvent,
  'text that is no event': () => Buffer.alloc(MEGABYTES_17, 'x'),
  'bytes that are no text': () => Buffer.alloc(MEGABYTES_17, 0xff),
};

for (const [name, make] of Object.entries(LARGE)) {
  test(`${name} of 17 MB parks its stream, and is skipped`, async t => {
    const eventOf = eventMaker(BUDGET);
    const [created, shop] = [eventOf(CREATED), eventOf(payee('shop'))];
    const large = make(shop);
    const placed: Placed[] = [
      [0, BUDGET, created],
      [0, BUDGET, large],
      [0, BUDGET, shop],
    ];
    const db = mongo.database(`large_${name.replaceAll(' ', '_')}`);
    const projector = await createPlacedProjector(db, 'g1', placedLog(1, placed));
    await projector.apply(0);
    const { heads } = projector.store.collections;
    const hash = createHash('sha256').update(large).digest('hex');
    const reason = `Expected a record of at most 12000000 bytes, got ${large.length} (SHA-256 ${hash})`;
    const held = { why: 'parked', reason, queued: 2 };
    t.like(await heads.findOne({ _id: BUDGET }), { sequence: 1, held });
    t.deepEqual(await projector.verified(), []);
    t.like(await skipHeld(projector.store, BUDGET, SKIP), { sequence: 2, held: null });
    t.deepEqual(await projector.verified(), []);
    const rebuilt = await createPlacedProjector(db, 'g2', placedLog(1, placed));
    await rebuilt.apply(0);
    t.like(await rebuilt.store.collections.heads.findOne({ _id: BUDGET }), { sequence: 2 });
    t.deepEqual(await rebuilt.verified(), []);
  });
}

test('one under a key that no event has is quarantined', async t => {
  const large = largeEvent(eventMaker(BUDGET)(CREATED));
  const eventLog = placedLog(1, [[0, BUDGET, large]]);
  const projector = await createPlacedProjector(mongo.database('large_first'), 'g1', eventLog);
  await projector.apply(0);
  const { heads, quarantine } = projector.store.collections;
  t.is(await heads.countDocuments(), 0);
  t.like(await quarantine.findOne({ _id: '0/0' }), { subject: BUDGET, value: '' });
  t.deepEqual(await projector.verified(), []);
});
