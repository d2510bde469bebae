// A few readings of one person at a time.
import test from 'ava';
import { createReadingTurns } from '../../src/http/reading-turns.ts';
import { gate } from '../helpers/gate.ts';

const { signal } = new AbortController();

test('so many of a client run at a time, in their order; others do not wait for them', async t => {
  const turns = createReadingTurns(2);
  const began: string[] = [];
  const ends = new Map(['a', 'b', 'c', 'd', 'other'].map(name => [name, gate()]));
  const start = (client: string, name: string) =>
    turns.run(client, signal, async () => {
      began.push(name);
      await ends.get(name)?.opened;
      return name;
    });
  const all = ['a', 'b', 'c', 'd'].map(name => start('anna', name));
  const other = start('ben', 'other');
  t.deepEqual(began, ['a', 'b', 'other']);
  ends.get('b')?.open();
  t.is(await all[1], 'b');
  t.deepEqual(began, ['a', 'b', 'other', 'c']);
  for (const end of ends.values()) end.open();
  t.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd']);
  t.is(await other, 'other');
  t.deepEqual(began, ['a', 'b', 'other', 'c', 'd']);
});

test('work that failed or was abandoned gives its turn on', async t => {
  const turns = createReadingTurns(1);
  const abandoned = new AbortController();
  const failing = turns.run('anna', signal, async () => {
    throw new Error('a failure');
  });
  let hasRun = false;
  const left = turns.run('anna', abandoned.signal, async () => {
    hasRun = true;
  });
  const last = turns.run('anna', signal, async () => 'last');
  abandoned.abort(new Error('left'));
  await t.throwsAsync(failing, { message: 'a failure' });
  await t.throwsAsync(left, { message: 'left' });
  t.is(await last, 'last');
  t.false(hasRun);
});
