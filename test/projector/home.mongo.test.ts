// Records outside the partition that murmur2 of their key names, and records without an event under a key of their own:
// whatever the order in which partitions are read and the size of chunks, live, rebuilt and verified agree.
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { readPause } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { type Placed, placedLog } from './log-in-memory.ts';
import { createPlacedProjector } from './placed-projector.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

const PARTITIONS = 3;
const BUDGET = 'budget-1';
const OWN_PARTITION = partitionOf(BUDGET, PARTITIONS);
const OTHER_PARTITION = (OWN_PARTITION + 1) % PARTITIONS;
const ORDERS = [
  [0, 1, 2],
  [2, 1, 0],
  [1, 2, 0],
];

/**
 * Projects the log once in each order of its partitions, and in chunks of one and of two records, each time into a
 * generation of its own. Returns what all of them hold.
 */
async function projected(name: string, placed: readonly Placed[]) {
  const db = mongo.database(name);
  const eventLog = placedLog(PARTITIONS, placed);
  const runs = [
    ...ORDERS.map(order => ({ order, size: placed.length })),
    ...[1, 2].map(size => ({ order: [...ORDERS.flat(), ...ORDERS.flat()], size })),
  ];
  const found: { dumped: string[]; differences: string[] }[] = [];
  const logged: { partition: number; offset: number }[] = [];
  for (const [index, { order, size }] of runs.entries()) {
    const projector = await createPlacedProjector(db, `g${index + 1}`, eventLog);
    for (const partition of order) await projector.apply(partition, size);
    const dumped = (await dump(projector.store)).filter(line => !line.startsWith('checkpoint'));
    found.push({ dumped, differences: await projector.verified() });
    logged.push(...projector.lines.filter(({ msg }) => msg.startsWith('Record quarantined')));
  }
  const { store } = await createPlacedProjector(db, 'g1', eventLog);
  const { heads, quarantine } = store.collections;
  return {
    found,
    heads: await heads.find().sort({ _id: 1 }).toArray(),
    quarantined: (await quarantine.distinct('_id')).sort(),
    paused: await readPause(store.collections),
    logged,
  };
}

const eventOf = () => eventMaker(BUDGET);

test('copies in other partitions take no number, the first event of a stream neither', async t => {
  const make = eventOf();
  const [created, shop, cafe] = [make(CREATED), make(payee('shop')), make(payee('cafe'))];
  const copies = [created, created, cafe].map(event => [OTHER_PARTITION, BUDGET, event] as const);
  const own = [created, shop, cafe].map(event => [OWN_PARTITION, BUDGET, event] as const);
  const { found, heads, quarantined, logged } = await projected('copies', [...copies, ...own]);
  for (const { dumped, differences } of found) {
    t.deepEqual(differences, []);
    t.deepEqual(dumped, found[0]?.dumped);
  }
  t.is(heads.length, 1);
  t.like(heads[0], { _id: BUDGET, partition: OWN_PARTITION, sequence: 3, held: null });
  t.deepEqual(quarantined, [
    `${OTHER_PARTITION}/0`,
    `${OTHER_PARTITION}/1`,
    `${OTHER_PARTITION}/2`,
  ]);
  // One line in each chunk.
  t.like(logged[0], { partition: OTHER_PARTITION, offset: 0 });
});

test('a stream that a wrong partitioner has put elsewhere is applied once it is published again rightly', async t => {
  const make = eventOf();
  const drafts = [CREATED, payee('shop'), payee('cafe')];
  const events = drafts.map(draft => make(draft));
  const wrong = events.map(event => [OTHER_PARTITION, BUDGET, event] as const);
  const lost = await projected('wrong', wrong);
  t.deepEqual(lost.heads, []);
  t.is(lost.quarantined.length, 3);
  const again = events.map(event => [OWN_PARTITION, BUDGET, event] as const);
  const { found, heads, quarantined } = await projected('cured', [...wrong, ...again]);
  t.deepEqual(
    found.flatMap(({ differences }) => differences),
    [],
  );
  t.like(heads[0], { sequence: 3, held: null });
  t.is(quarantined.length, 3);
});

test('a record that is no event makes no stream, and parks the stream that has begun', async t => {
  const make = eventOf();
  const { found, heads, quarantined } = await projected('no_event', [
    [OWN_PARTITION, BUDGET, 'no event'],
    [OWN_PARTITION, BUDGET, { subject: BUDGET, order: 17 }],
    [OWN_PARTITION, BUDGET, make(CREATED)],
    [OWN_PARTITION, BUDGET, make(payee('shop'))],
    [OWN_PARTITION, BUDGET, 'no event'],
    [OWN_PARTITION, BUDGET, make(payee('cafe'))],
  ]);
  for (const { dumped, differences } of found) {
    t.deepEqual(differences, []);
    t.deepEqual(dumped, found[0]?.dumped);
  }
  t.like(heads[0], { sequence: 2, held: { why: 'parked', queued: 2 } });
  t.deepEqual(quarantined, [`${OWN_PARTITION}/0`, `${OWN_PARTITION}/1`]);
});

test('a record that is no event, behind an early one, holds the stream at its turn', async t => {
  for (const [name, last] of [
    ['stray_alone', []],
    ['stray_and_first', [[OWN_PARTITION, BUDGET, eventOf()(CREATED)]]],
  ] as const) {
    const make = eventOf();
    make(CREATED);
    const { found, heads } = await projected(name, [
      [OWN_PARTITION, BUDGET, make(payee('shop'))],
      [OWN_PARTITION, BUDGET, 'no event'],
      ...last,
    ]);
    for (const { dumped, differences } of found) {
      t.deepEqual(differences, [], name);
      t.deepEqual(dumped, found[0]?.dumped);
    }
    t.like(heads[0], { held: { why: 'parked' } });
  }
});

test('keyed records of another application park no stream and pause nothing', async t => {
  const orders = Array.from({ length: 40 }, (_, index): Placed => {
    const key = `order-${index}`;
    return [partitionOf(key, PARTITIONS), key, { orderId: key, total: 12 }];
  });
  const { found, heads, quarantined, paused } = await projected('orders', orders);
  t.deepEqual(
    found.flatMap(({ differences }) => differences),
    [],
  );
  t.deepEqual(heads, []);
  t.is(quarantined.length, 40);
  t.is(paused, null);
});
