// Verification finds every manual change to held streams, their queues and everything besides heads, each kind by its
// own difference.
import { differenceText } from '../../src/verify/difference.ts';
import { test } from '../helpers/file-test.ts';
import {
  altered,
  createTamperScene,
  missedOf,
  set,
  type Tampering,
  type TamperScene,
} from './tamper-scene.ts';

let scene: TamperScene;
test.before(async () => {
  scene = await createTamperScene();
});
test.after.always(() => scene?.stop());

const BUDGET = 'budget-1';
const HELD = {
  since: '2026-01-01T00:00:00.000Z',
  why: 'parked',
  reason: 'No reason',
  queued: 0,
} as const;

/** Within a list, each tampering changes other streams. */
const TABLE: Readonly<Record<string, readonly Tampering[]>> = {
  'streams are set free': ['parked', 'gap', 'conflict', 'waits', 'numberless'].map(stream =>
    set(stream, { held: null }, 'head held: expected .*, stored nothing'),
  ),
  'streams are set free, and their queues are gone': [
    'parked',
    'gap',
    'conflict',
    'waits',
    'numberless',
  ].map(stream => ({
    kind: stream,
    tamper: async ({ heads, waiting }) => {
      await heads.updateOne({ _id: stream }, { $set: { held: null } });
      await waiting.deleteMany({ subject: stream });
    },
    difference: new RegExp(`^${stream}: queue/[0-9]+/.*, stored nothing$`),
  })),
  'streams are held for no reason': [
    set(BUDGET, { held: HELD }, 'head held: expected nothing'),
    set('space-1', { held: { ...HELD, why: 'gap' } }, 'head held: expected nothing'),
    set('budget-2', { held: { ...HELD, why: 'change' } }, 'head held: expected nothing'),
    set('deleted', { held: HELD }, 'head held: expected nothing'),
  ],
  'since when streams are held is another': ['parked', 'gap', 'conflict', 'waits'].map(stream =>
    set(stream, { 'held.since': HELD.since }, 'head held.since'),
  ),
  'why streams are held is another': [
    set('parked', { 'held.why': 'gap' }, 'head held.why'),
    set('gap', { 'held.why': 'parked' }, 'head held.why'),
    set('conflict', { 'held.why': 'change' }, 'head held.why'),
    set('waits', { 'held.why': 'change' }, 'head held.why'),
  ],
  'the reason is another': ['parked', 'gap', 'conflict', 'waits'].map(stream =>
    set(stream, { 'held.reason': 'x' }, 'head held.reason'),
  ),
  'the number of events that wait is another': ['parked', 'gap', 'conflict', 'waits'].map(stream =>
    set(stream, { 'held.queued': 7 }, 'head held.queued'),
  ),
  'the entry that holds is another': [
    set('parked', { 'held.entry': 'x' }, 'head held.entry'),
    set('gap', { 'held.entry': 'x' }, 'head held.entry'),
    {
      kind: 'no entry',
      tamper: ({ heads }) => heads.updateOne({ _id: 'conflict' }, { $unset: { 'held.entry': '' } }),
      difference: /^conflict: head held.entry/,
    },
  ],
  'queue entries are gone': ['parked', 'gap', 'conflict', 'waits', 'numberless'].map(stream => ({
    kind: stream,
    tamper: ({ waiting }) => waiting.deleteOne({ subject: stream }),
    difference: new RegExp(`^${stream}: queue/[0-9]+/.*, stored nothing$`),
  })),
  'what belongs to nothing': [
    {
      kind: 'a queue entry added to a held stream',
      tamper: ({ waiting }) => waiting.insertOne(entry('gap', 9)),
      difference: /^gap: queue\/9\/invented: expected nothing/,
    },
    {
      kind: 'a queue entry of a stream that is not held',
      tamper: ({ waiting }) => waiting.insertOne(entry(BUDGET, 99_999)),
      difference: /^budget-1: queue\/99999\/invented: expected nothing/,
    },
    {
      kind: 'a queue entry of a deleted budget',
      tamper: ({ waiting }) => waiting.insertOne(entry('deleted', 9)),
      difference: /^deleted: queue entry deleted\/9: expected nothing/,
    },
    {
      kind: 'a queue entry of a stream without a head',
      tamper: ({ waiting }) => waiting.insertOne(entry('nobody', 1)),
      difference: /^nobody: events wait, but there is no head$/,
    },
    {
      kind: 'a head that the log does not know',
      tamper: async ({ heads }) => {
        const head = await heads.findOne({ _id: 'gap' });
        await heads.insertOne({ ...head, _id: 'invented', set: null, held: null });
      },
      difference: /^invented: head: expected nothing/,
    },
    {
      kind: 'a shadow set for nobody',
      tamper: ({ shadowSets }) =>
        shadowSets.insertOne({ _id: 'space-1', set: '9-9', kind: 'event' }),
      difference:
        /^space-1: set 9-9 is written as a shadow set, but no big change holds the stream$/,
    },
    {
      kind: 'a checkpoint more',
      tamper: async ({ checkpoints }) => {
        const checkpoint = await checkpoints.findOne({ _id: 0 });
        await checkpoints.insertOne({ ...checkpoint, _id: 9 });
      },
      difference: /^checkpoint 9: expected nothing/,
    },
  ],
  'sweeps and sets of live budgets': [
    {
      kind: 'a live set is marked to be swept',
      tamper: async ({ heads, sweeps }) => {
        const head = await heads.findOne({ _id: BUDGET });
        await sweeps.insertOne({ _id: head?.set });
      },
      difference: /^budget-1: its set \S+ is marked to be swept$/,
    },
    {
      kind: 'two streams have one set',
      tamper: async ({ heads }) => {
        const head = await heads.findOne({ _id: 'gap' });
        await heads.updateOne({ _id: 'conflict' }, { $set: { set: head?.set } });
      },
      difference: /: set \S+ is that of \S+ too$/,
    },
    {
      kind: 'a live set is being written as a shadow set',
      tamper: async ({ heads, shadowSets }) => {
        const head = await heads.findOne({ _id: 'parked' });
        await shadowSets.insertOne({ _id: 'parked', set: head?.set, kind: 'rebuild' });
      },
      difference: /^parked: its set \S+ is being written as a shadow set$/,
    },
  ],
  'a checkpoint is gone': [
    {
      kind: 'checkpoint',
      tamper: ({ checkpoints }) => checkpoints.deleteOne({ _id: 1 }),
      difference: /^checkpoint 1: expected one, for its streams, stored nothing$/,
    },
  ],
  'a checkpoint is behind': [
    {
      kind: 'next',
      tamper: ({ checkpoints }) =>
        checkpoints.updateMany({}, { $set: { next: 1, fingerprints: [] } }),
      difference: /: head/,
    },
  ],
  'the quarantine has lost a record': [
    {
      kind: 'removed',
      tamper: ({ quarantine }) => quarantine.deleteOne({}),
      difference: /^quarantine\/[01]\/[0-9]+: expected .*, stored nothing$/,
    },
  ],
  'the quarantine has other records': [
    {
      kind: 'altered',
      tamper: ({ quarantine }) => quarantine.updateOne({}, { $set: { reason: 'x' } }),
      difference: /^quarantine\/[01]\/[0-9]+ reason/,
    },
    {
      kind: 'added',
      tamper: ({ quarantine }) => quarantine.insertOne({ _id: '0/3', subject: '' }),
      difference: /^quarantine\/0\/3: expected nothing/,
    },
    {
      kind: 'of a partition that there is not',
      tamper: ({ quarantine }) => quarantine.insertOne({ _id: '7/3', subject: '' }),
      difference: /^quarantine\/7\/3 is of a partition/,
    },
  ],
};

function entry(subject: string, sequence: number) {
  const at = { partition: 0, offset: 0, eventId: 'invented', value: '{}' };
  return { _id: `${subject}/${sequence}`, subject, sequence, ...at };
}

for (const [kinds, tamperings] of Object.entries(TABLE)) {
  test.serial(kinds, async t => {
    t.deepEqual(await missedOf(scene, tamperings), []);
  });
}

test.serial('every field of a queue entry is verified', async t => {
  const [stored] = await scene.collections.waiting.find({ subject: 'parked' }).limit(1).toArray();
  const { _id, ...fields } = stored ?? { _id: '' };
  for (const [field, value] of Object.entries(fields)) {
    const found = await scene.found(({ waiting }) =>
      waiting.updateOne({ _id }, { $set: { [field]: altered(value) } }),
    );
    t.true(found.length > 0, field);
  }
});

test.serial('the read model agrees with the log again', async t => {
  t.deepEqual((await scene.verify()).named.map(differenceText), []);
});
