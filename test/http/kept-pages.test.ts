import test from 'ava';
import { createKeptBodies } from '../../src/http/kept-pages.ts';

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

test('a page of transactions is kept when it is asked for again', async t => {
  const bodies = createKeptBodies();
  const read = reads(Buffer.from('{}'));
  for (let time = 0; time < 4; time += 1) await bodies.get('x', read);
  t.is(read.times(), 2);
});

test('a client that walks through a list evicts nothing', async t => {
  const bodies = createKeptBodies(600_000);
  const asked = reads('{}');
  await bodies.get('asked for often', asked);
  for (let page = 0; page < 100; page += 1) {
    await bodies.get(`page ${page}`, reads(Buffer.alloc(400_000)));
  }
  await bodies.get('asked for often', asked);
  t.is(asked.times(), 1);
});

test('larger bodies are read each time', async t => {
  const bodies = createKeptBodies();
  for (const body of [Buffer.alloc(524_289), 'x'.repeat(524_289)]) {
    const read = reads(body);
    for (let time = 0; time < 3; time += 1) t.is((await bodies.get('x', read)).body, body);
    t.is(read.times(), 3);
  }
});

test('small buffers count with the memory that they keep', async t => {
  const bodies = createKeptBodies(3 * (Buffer.poolSize + 500));
  const pages = Array.from({ length: 4 }, () => reads(Buffer.from('{}')));
  for (const _ of [1, 2]) {
    for (const [index, page] of pages.entries()) await bodies.get(`${index}`, page);
  }
  await bodies.get('0', pages[0] ?? reads(''));
  t.is(pages[0]?.times(), 3);
});

test('beyond its bound it forgets what was used longest ago', async t => {
  const bodies = createKeptBodies(2 * 410);
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
