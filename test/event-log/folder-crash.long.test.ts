// A writer is killed at any moment: acknowledged batches survive, no batch survives in part, no record moves.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { forkWriter, openForTest, temporaryPath } from './folder-log-under-test.ts';
import { following, type Read, readAll, sorted, until } from './log-under-test.ts';
import { batchNumberOf, batchOf } from './numbered-batch.ts';

const ROUNDS = 24;
const KILL_AFTER_MS_MAX = 30;
/** Small, so that most batches begin a new segment. */
const OPTIONS = { partitions: 3, segmentBytesMax: 3_000 };

test('a log stays intact though its writer is killed again and again (rules/events.md#the-folder-log)', async t => {
  const folder = await temporaryPath(t);
  const reader = await openForTest(t, folder, OPTIONS);
  const follower = following(reader, 'crash');
  let before = new Map<string, string>();
  let first = 1;
  for (let round = 0; round < ROUNDS; round += 1) {
    const acknowledged = await writeUntilKilled(forkWriter(folder, OPTIONS), first, round);
    t.true(acknowledged >= first);
    const reads = await readAll(reader);
    const after = places(reads);
    for (const [place, value] of before) t.is(after.get(place), value);
    const last = checkComplete(reads);
    t.true(last === acknowledged || last === acknowledged + 1, `${last} after ${acknowledged}`);
    before = after;
    first = last + 1;
  }
  await until(() => follower.values().length >= before.size, 'the follower has received all');
  await follower.stop();
  t.deepEqual(sorted(follower.values()), sorted(before.values()));
});

/** Returns the number of the last batch that was acknowledged before the kill. */
async function writeUntilKilled(
  child: ChildProcess,
  first: number,
  round: number,
): Promise<number> {
  let last = 0;
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', line => {
    last = Number(line);
  });
  const left = once(child, 'exit');
  const read = once(lines, 'close');
  child.send({ first });
  await once(lines, 'line');
  await delay((KILL_AFTER_MS_MAX * round) / ROUNDS);
  child.kill('SIGKILL');
  await Promise.all([left, read]);
  return last;
}

function places(reads: readonly Read[]): Map<string, string> {
  return new Map(reads.map(read => [`${read.partition}/${read.offset}`, read.value]));
}

/** Checks that the log contains complete batches from 1 on and nothing else; returns the last number. */
function checkComplete(reads: readonly Read[]): number {
  const last = Math.max(...reads.map(read => batchNumberOf(read.value)));
  const expected = Array.from({ length: last }, (_, index) => batchOf(index + 1)).flat();
  const wanted = sorted(expected.map(record => record.value)).join('\n');
  const got = sorted(reads.map(read => read.value)).join('\n');
  if (wanted !== got) throw new Error('Expected whole batches, got parts, doubles or holes');
  for (const partition of new Set(reads.map(read => read.partition))) {
    const offsets = reads.filter(read => read.partition === partition).map(read => read.offset);
    if (offsets.some((offset, index) => offset !== index)) throw new Error('Offsets have holes');
  }
  return last;
}
