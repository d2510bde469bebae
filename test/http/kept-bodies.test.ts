import test from 'ava';
import { createKeptBodies } from '../../src/http/kept-bodies.ts';

/** Reads that say how often they ran. */
function reads(body: string | Buffer) {
  const counted = { count: 0 };
  return Object.assign(
    async () => {
      counted.count += 1;
      return { body, next: null };
    },
    counted,
    { times: () => counted.count },
  );
}

test('a body is read once for each name', async t => {
  const bodies = createKeptBodies();
  const one = reads('{"a":1}');
  t.is((await bodies.get('x 1', one)).body, '{"a":1}');
  t.is((await bodies.get('x 1', one)).body, '{"a":1}');
  t.is(one.times(), 1);
  t.is((await bodies.get('x 2', reads('{"a":2}'))).body, '{"a":2}');
});

test('a body is kept with the place of the next page', async t => {
  const bodies = createKeptBodies();
  const page = { body: '[]', next: { name: 'offset', value: '5' } } as const;
  await bodies.get('x', () => Promise.resolve(page));
  t.deepEqual(await bodies.get('x', reads('other')), page);
});

test('pages of transactions and large bodies are read each time', async t => {
  const bodies = createKeptBodies();
  for (const body of [Buffer.from('{}'), 'x'.repeat(65_537)]) {
    const read = reads(body);
    await bodies.get('x', read);
    t.is((await bodies.get('x', read)).body, body);
    t.is(read.times(), 2);
  }
});

test('beyond its bound it forgets what was used longest ago', async t => {
  const bodies = createKeptBodies(20);
  const [a, b, c] = [reads('aaaaaaaa'), reads('bbbbbbbb'), reads('cccccccc')];
  await bodies.get('a', a);
  await bodies.get('b', b);
  await bodies.get('a', a);
  await bodies.get('c', c);
  await bodies.get('a', a);
  await bodies.get('b', b);
  t.deepEqual([a.times(), b.times(), c.times()], [1, 2, 1]);
});

test('a body whose read fails is not kept', async t => {
  const bodies = createKeptBodies();
  const failing = () => Promise.reject(new Error('away'));
  await t.throwsAsync(bodies.get('x', failing), { message: 'away' });
  t.is((await bodies.get('x', reads('{}'))).body, '{}');
});
