// The books of chaos are kept well: they add up for what is right, and name what was lost, doubled or held for ever.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { accountFor, type Numbers, type Told } from './accounting.ts';

const mongo = useMongo(test);

/** Two streams: one applied to its third event, one parked at its second. */
async function books(
  changed: (numbers: Numbers) => void = () => {},
  strays: Told['strays'] = new Map(),
) {
  const scene = await createPartitionScene(mongo.database('accounting'));
  const [good, bad] = [eventMaker('budget-1'), eventMaker('budget-2')];
  const drafts = [CREATED, payee('a'), payee('b')];
  await scene.tell(...drafts.map(draft => good(draft)));
  await scene.tell(bad(CREATED), bad(CREATED), bad(payee('a')));
  const numbers: Numbers = new Map([
    ['budget-1', new Set([1, 2, 3])],
    ['budget-2', new Set([1, 2, 3])],
  ]);
  changed(numbers);
  return { collections: scene.store.collections, told: { numbers, strays } };
}

test('what is applied or waits in a queue is accounted for', async t => {
  const { collections, told } = await books();
  t.deepEqual(await accountFor(collections, told), { streams: 2, held: 1, wrong: [] });
});

test('an event that was neither applied nor queued is named', async t => {
  const { collections, told } = await books(read => read.get('budget-1')?.add(4));
  t.deepEqual((await accountFor(collections, told)).wrong, ['budget-1 at 3: lost: 4']);
});

test('a number that was applied without an event is named', async t => {
  const { collections, told } = await books(read => read.get('budget-1')?.delete(2));
  const { wrong } = await accountFor(collections, told);
  t.deepEqual(wrong, ['budget-1 at 3: number 2 was applied, but is not in the log']);
});

test('a stream that was never seen is named', async t => {
  const { collections, told } = await books(read => read.set('budget-3', new Set([1])));
  t.deepEqual((await accountFor(collections, told)).wrong, ['budget-3: no head']);
});

test('a queue that is not what its head says is named', async t => {
  const { collections, told } = await books();
  await collections.waiting.deleteOne({ subject: 'budget-2', sequence: 3 });
  t.deepEqual((await accountFor(collections, told)).wrong, [
    'budget-2 at 1: its queue holds 1, its head says 2',
    'budget-2 at 1: lost: 3',
  ]);
});

test('a stream that waits for a number that is there is named', async t => {
  const { collections, told } = await books();
  const held = { why: 'gap', reason: 'Expected sequence 2, got 3' };
  await collections.heads.updateOne(
    { _id: 'budget-2' },
    { $set: { 'held.why': held.why as 'gap', 'held.reason': held.reason } },
  );
  t.deepEqual((await accountFor(collections, told)).wrong, [
    'budget-2 at 1: held for ever: Expected sequence 2, got 3',
  ]);
});

test('a record that belongs to no stream and was not quarantined is named', async t => {
  const { collections, told } = await books(() => {}, new Map([['0/2', null]]));
  t.deepEqual((await accountFor(collections, told)).wrong, ['0/2: not quarantined']);
});

test('a record that was quarantined, though it belongs to a stream, is named', async t => {
  const { collections, told } = await books();
  const record = { subject: '', sequence: 0, partition: 0, offset: 2, eventId: '', value: '' };
  await collections.quarantine.insertOne({ _id: '0/2', ...record });
  const { wrong } = await accountFor(collections, told);
  t.deepEqual(wrong, ['0/2: quarantined, though it belongs to a stream']);
});
