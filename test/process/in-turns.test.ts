import { setImmediate } from 'node:timers/promises';
import { inTurns } from '../../src/process/waiting.ts';
import { test } from '../helpers/file-test.ts';

const items = Array.from({ length: 50 }, (_, index) => index);

function spendTime(): void {
  const until = performance.now() + 1;
  while (performance.now() < until);
}

test('every step runs in order, and the process does other spendTime between steps', async t => {
  const done: number[] = [];
  const seen = new Set<number>();
  let over = false;
  const other = (async () => {
    while (!over) {
      seen.add(done.length);
      await setImmediate();
    }
  })();
  await inTurns(items, item => {
    spendTime();
    done.push(item);
  });
  over = true;
  await other;
  t.deepEqual(done, items);
  t.true([...seen].some(count => count > 0 && count < items.length));
});

test('a failing step rejects the whole run', async t => {
  const done: number[] = [];
  const failing = inTurns(items, item => {
    if (item === 3) throw new Error('no');
    done.push(item);
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.deepEqual(done, [0, 1, 2]);
});
