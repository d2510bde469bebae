import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createInHand } from '../../src/projector/in-hand.ts';

const LARGE = 10_000;

test('two large chunks are in hand at a time; the others follow in the order in which they came', async t => {
  const inHand = createInHand();
  const first = await inHand.take(LARGE);
  const second = await inHand.take(LARGE);
  const begun: string[] = [];
  const third = inHand.take(LARGE).then(release => {
    begun.push('third');
    return release;
  });
  const fourth = inHand.take(LARGE).then(release => {
    begun.push('fourth');
    return release;
  });
  await setImmediate();
  t.deepEqual(begun, []);
  second();
  await setImmediate();
  t.deepEqual(begun, ['third']);
  first();
  await setImmediate();
  t.deepEqual(begun, ['third', 'fourth']);
  (await third)();
  (await fourth)();
  // As many as at first.
  await inHand.take(LARGE);
  await inHand.take(LARGE);
  t.pass();
});

test('small chunks wait for nobody', async t => {
  const inHand = createInHand();
  const release = await inHand.take(LARGE);
  await inHand.take(LARGE);
  (await inHand.take(500))();
  const waiting = inHand.take(501);
  t.is(await Promise.race([waiting, setImmediate('waits')]), 'waits');
  release();
  await waiting;
});
