// The accounting of chaos accepts a correct read model, and reports events that are lost, doubled or held for ever.
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { accountFor, type LogContents, type Sequences } from './accounting.ts';

const mongo = useMongo(test);

/** Returns two streams: one applied to its third event, one parked at its second. */
async function accountingScene(
  changed: (sequences: Sequences) => void = () => {},
  strays: LogContents['strays'] = new Set(),
) {
  const scene = await createPartitionScene(mongo.database('accounting'));
  const [good, bad] = [eventMaker('budget-1'), eventMaker('budget-2')];
  const drafts = [CREATED, payee('a'), payee('b')];
  await scene.tell(...drafts.map(draft => good(draft)));
  await scene.tell(bad(CREATED), bad(CREATED), bad(payee('a')));
  const sequences: Sequences = new Map([
    ['budget-1', new Set([1, 2, 3])],
    ['budget-2', new Set([1, 2, 3])],
  ]);
  changed(sequences);
  return { collections: scene.store.collections, logged: { sequences, strays } };
}

test('applied and queued events are accounted for', async t => {
  const { collections, logged } = await accountingScene();
  t.deepEqual(await accountFor(collections, logged), { streams: 2, held: 1, wrong: [] });
});

test('an event that is neither applied nor queued is reported', async t => {
  const { collections, logged } = await accountingScene(read => read.get('budget-1')?.add(4));
  t.deepEqual((await accountFor(collections, logged)).wrong, ['budget-1 at 3: lost: 4']);
});

test('a sequence that was applied without an event is reported', async t => {
  const { collections, logged } = await accountingScene(read => read.get('budget-1')?.delete(2));
  const { wrong } = await accountFor(collections, logged);
  t.deepEqual(wrong, ['budget-1 at 3: number 2 was applied, but is not in the log']);
});

test('a stream without a head is reported', async t => {
  const { collections, logged } = await accountingScene(read => read.set('budget-3', new Set([1])));
  t.deepEqual((await accountFor(collections, logged)).wrong, ['budget-3: no head']);
});

test('a queue that differs from its head is reported', async t => {
  const { collections, logged } = await accountingScene();
  await collections.waiting.deleteOne({ subject: 'budget-2', sequence: 3 });
  t.deepEqual((await accountFor(collections, logged)).wrong, [
    'budget-2 at 1: its queue holds 1, its head says 2',
    'budget-2 at 1: lost: 3',
  ]);
});

test('a stream that waits for an event in the log is reported', async t => {
  const { collections, logged } = await accountingScene();
  const held = { why: 'gap', reason: 'Expected sequence 2, got 3' };
  await collections.heads.updateOne(
    { _id: 'budget-2' },
    { $set: { 'held.why': held.why as 'gap', 'held.reason': held.reason } },
  );
  t.deepEqual((await accountFor(collections, logged)).wrong, [
    'budget-2 at 1: held for ever: Expected sequence 2, got 3',
  ]);
});

test('a record without a stream that is not quarantined is reported', async t => {
  const { collections, logged } = await accountingScene(() => {}, new Set(['0/2']));
  t.deepEqual((await accountFor(collections, logged)).wrong, ['0/2: not quarantined']);
});

test('a quarantined record that belongs to a stream is reported', async t => {
  const { collections, logged } = await accountingScene();
  const record = { subject: '', sequence: 0, partition: 0, offset: 2, eventId: '', value: '' };
  await collections.quarantine.insertOne({ _id: '0/2', ...record, reason: 'The test' });
  const { wrong } = await accountFor(collections, logged);
  t.deepEqual(wrong, ['0/2: quarantined, though it belongs to a stream']);
});
