import { setImmediate } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import test from 'ava';
import { compress } from '../../src/http/compress.ts';
import { createKeptCompressed } from '../../src/http/kept-pages.ts';
import { codings, decompress } from './decompress.ts';

const bodies = [Buffer.from('{}'), Buffer.alloc(16_384, 'small '), Buffer.alloc(400_000, 'large ')];

for (const coding of codings) {
  test(`a body is the same after ${coding}, at once and in a thread`, async t => {
    for (const body of bodies) {
      const compressed = await compress(body, coding);
      t.deepEqual(decompress(compressed, coding), body);
      if (body.length > 1000) t.true(compressed.length < body.length / 10);
    }
  });
}

test('many bodies at once wait for each other, and all come', async t => {
  const many = Array.from({ length: 50 }, (_, index) => Buffer.alloc(20_000, `body ${index} `));
  const compressed = await Promise.all(many.map(body => compress(body, 'gzip')));
  t.deepEqual(
    compressed.map(one => zlib.gunzipSync(one)),
    many,
  );
});

test('while large bodies are compressed, the process goes on', async t => {
  const random = Buffer.from(
    Array.from({ length: 4_000_000 }, () => Math.floor(Math.random() * 64)),
  );
  let isDone = false;
  const compressing = compress(random, 'gzip').then(() => {
    isDone = true;
  });
  await setImmediate();
  t.false(isDone);
  await compressing;
});

const page = (text: string) => ({ body: text, next: { name: 'offset', value: '5' } }) as const;

test('a compressed body is kept by its name and coding, with the place of the next page', async t => {
  const kept = createKeptCompressed();
  const name = { name: 'x', coding: 'gzip' } as const;
  t.is(kept.find(name), undefined);
  const text = 'one '.repeat(400);
  const compressed = await kept.compress(name, page(text));
  t.is(compressed.body.toString('latin1'), zlib.gzipSync(text, { level: 3 }).toString('latin1'));
  t.is(kept.find(name), compressed);
  t.is(compressed.body.buffer.byteLength, compressed.body.length, 'no part of a larger buffer');
  t.like(compressed, { coding: 'gzip', next: { name: 'offset', value: '5' } });
  t.is(kept.find({ name: 'x', coding: 'br' }), undefined);
  t.is(kept.find({ name: 'y', coding: 'gzip' }), undefined);
});

test('a small body is not kept: most clients want it as it is', async t => {
  const kept = createKeptCompressed();
  const name = { name: 'x', coding: 'gzip' } as const;
  await kept.compress(name, page('one'));
  t.is(kept.find(name), undefined);
});

test('simultaneous requests for one body share the work', async t => {
  const kept = createKeptCompressed();
  const name = { name: 'x', coding: 'br' } as const;
  const text = 'text '.repeat(9000);
  const [one, other] = await Promise.all([
    kept.compress(name, page(text)),
    kept.compress(name, page(text)),
  ]);
  t.is(one, other);
});

test('beyond its bound it forgets what was used longest ago; very large bodies are not kept', async t => {
  const kept = createKeptCompressed(1000);
  const named = (name: string) => ({ name, coding: 'gzip' }) as const;
  for (const name of ['a', 'b', 'c']) await kept.compress(named(name), page(name.repeat(2000)));
  t.deepEqual(
    ['a', 'b', 'c'].map(name => kept.find(named(name)) !== undefined),
    [false, true, true],
  );
  const large = createKeptCompressed();
  const noise = Array.from({ length: 400_000 }, () => Math.random().toString(36).at(-1)).join('');
  await large.compress(named('a'), page(noise));
  t.is(large.find(named('a')), undefined);
});
