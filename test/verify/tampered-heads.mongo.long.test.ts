// Verification finds every manual change to heads, each kind by its own difference.
import { differenceText } from '../../src/verify/difference.ts';
import { test } from '../helpers/file-test.ts';
import {
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
const TIME = '2026-01-01T00:00:00.000Z';

/** Within a list, each tampering changes other streams. */
const TABLE: Readonly<Record<string, readonly Tampering[]>> = {
  'heads are gone': [BUDGET, 'space-1', 'parked', 'gap', 'deleted', 'waits', 'numberless'].map(
    stream => ({
      kind: stream,
      tamper: ({ heads }) => heads.deleteOne({ _id: stream }),
      difference: new RegExp(
        `^${stream}: head: expected one, for [0-9]+ records? of the log, stored n`,
      ),
    }),
  ),
  'heads are marked deleted': [BUDGET, 'space-1', 'parked', 'gap', 'conflict', 'waits'].map(
    stream => set(stream, { deleted: true }, 'head deleted: expected false, stored true'),
  ),
  'budgets have no set': [BUDGET, 'parked', 'gap', 'conflict'].map(stream =>
    set(stream, { set: null }, 'head set: expected "a set", stored nothing'),
  ),
  'streams have a set that is not theirs': [
    set('gap', { set: 'nowhere' }, '(payees|head)'),
    set('space-1', { set: 'somewhere' }, 'head set: expected nothing, stored "a set"'),
    set('deleted', { set: '7-7' }, 'head set: expected nothing, stored "7-7"'),
    set('waits', { set: 'somewhere' }, 'head set: expected nothing'),
  ],
  'sequences are lower': [BUDGET, 'space-1', 'parked', 'gap', 'conflict', 'deleted'].map(
    stream => ({
      kind: stream,
      tamper: ({ heads }) => heads.updateOne({ _id: stream }, { $inc: { sequence: -1 } }),
      difference: new RegExp(`^${stream}: (head sequence|queue/)`),
    }),
  ),
  'sequences are higher': [BUDGET, 'space-1', 'parked', 'gap', 'conflict', 'deleted'].map(
    stream => ({
      kind: stream,
      tamper: ({ heads }) => heads.updateOne({ _id: stream }, { $inc: { sequence: 1000 } }),
      difference: new RegExp(`^${stream}: (head sequence|the log)`),
    }),
  ),
  'ids of the last events are others': [BUDGET, 'space-1', 'parked', 'gap', 'conflict'].map(
    stream => set(stream, { eventId: 'other' }, 'head eventId'),
  ),
  'events count as skipped': [BUDGET, 'space-1', 'parked', 'gap', 'conflict'].map(stream =>
    set(stream, { skipped: [[1, 1]] }, 'head skipped: expected nothing'),
  ),
  'partitions are others': [
    set(BUDGET, { partition: 7 }, 'its head names partition 7'),
    set('parked', { partition: -1 }, 'its head names partition -1'),
    ...['space-1', 'gap'].map(stream => ({
      kind: `${stream} in another partition`,
      tamper: async ({ heads }: TamperScene['collections']) => {
        const head = await heads.findOne({ _id: stream });
        await heads.updateOne({ _id: stream }, { $set: { partition: 1 - head?.partition } });
      },
      difference: new RegExp(`^${stream}: head: expected nothing, stored`),
    })),
  ],
  'what belongs to a budget is another': [
    set(BUDGET, { 'budget.name': 'Other' }, 'head budget.name'),
    set('parked', { 'budget.spaceId': 'space-9' }, 'head budget.spaceId'),
    set('gap', { 'budget.currency': 'CHF' }, 'head budget.currency'),
    set('conflict', { 'budget.archivedAt': TIME }, 'head budget.archivedAt'),
    set('space-1', { budget: { name: 'x' } }, 'head budget: expected nothing'),
    set('deleted', { budget: { name: 'Left' } }, 'head budget'),
  ],
  'more that belongs to a budget is another': [
    set(BUDGET, { 'budget.absolute': 1 }, 'head budget.absolute'),
    set('parked', { 'budget.lastDate': '2026-01-01' }, 'head budget.lastDate'),
    set('gap', { 'budget.nameKey': 'x' }, 'head budget.nameKey'),
    set('conflict', { 'budget.createdAt': TIME }, 'head budget.createdAt'),
    set('deleted', { space: { members: ['me'] } }, 'head space'),
    set('waits', { budget: { name: 'early' } }, 'head budget'),
  ],
  'a budget has nothing of its own': [
    set(BUDGET, { budget: null }, 'head budget: expected .*, stored nothing'),
    set('space-1', { space: null }, 'head space: expected .*, stored nothing'),
    set('deleted', { eventId: 'deleted.3' }, 'head eventId: expected nothing'),
    set('gap', { more: 1 }, 'head more: expected nothing'),
  ],
  'somebody is made a member': [
    {
      kind: 'a member more',
      tamper: ({ heads }) =>
        heads.updateOne({ _id: 'space-1' }, { $push: { 'space.members': 'intruder' } as never }),
      difference: /^space-1: head space.members/,
    },
  ],
  'a member is removed': [
    {
      kind: 'a member less',
      tamper: ({ heads }) =>
        heads.updateOne({ _id: 'space-1' }, { $pop: { 'space.members': 1 } as never }),
      difference: /^space-1: head space.members/,
    },
  ],
};

for (const [kinds, tamperings] of Object.entries(TABLE)) {
  test.serial(kinds, async t => {
    t.deepEqual(await missedOf(scene, tamperings), []);
  });
}

test.serial('the read model agrees with the log again', async t => {
  t.deepEqual((await scene.verify()).named.map(differenceText), []);
});

test.serial('a single stream is verified with the same rigour', async t => {
  const found = async (stream: string) =>
    (await scene.verify({ stream })).named.map(differenceText);
  const { heads } = scene.collections;
  const head = await heads.findOne({ _id: BUDGET });
  await heads.deleteOne({ _id: BUDGET });
  t.regex((await found(BUDGET))[0] ?? '', /^budget-1: head: expected one, for [0-9]+ records/);
  t.is((await scene.verify({ stream: 'space-1' })).differences, 0);
  t.is((await scene.verify({ stream: 'space-1' })).streams, 1);
  t.is((await scene.verify({ stream: 'nowhere' })).streams, 0);
  t.is((await scene.verify({ stream: 'deleted' })).streams, 1);
  if (!head) throw new Error('Expected a head');
  const ahead = head.sequence + 1000;
  await heads.insertOne({ ...head, sequence: ahead });
  const text = `budget-1: head sequence: expected ${head.sequence}, stored ${ahead}`;
  t.is((await found(BUDGET))[0], text);
  await heads.replaceOne({ _id: BUDGET }, head);
  t.deepEqual(await found(BUDGET), []);
});

test.serial('a sample includes streams of the log, so a missing head is found', async t => {
  t.is((await scene.verify({ sample: 2 })).streams, 2);
  const { heads } = scene.collections;
  const head = await heads.findOne({ _id: BUDGET });
  await heads.deleteOne({ _id: BUDGET });
  // Half of all records belong to this stream.
  const found = await scene.verify({ sample: 12 });
  t.true(found.named.some(({ stream, what }) => stream === BUDGET && what === 'head'));
  if (head) await heads.insertOne(head);
});
