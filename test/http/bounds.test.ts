import { readFile } from 'node:fs/promises';
import test from 'ava';
import { BOUNDS, createBounds } from '../../src/http/bounds.ts';

test('docs/operations.md names every bound with its number', async t => {
  const guide = await readFile('docs/operations.md', 'utf8');
  const [, section = ''] = guide.split('\n## Bounds\n');
  const rows = [...(section.split('\n## ')[0]?.matchAll(/^\| `(\w+)` \| (\d+) \| \S/gm) ?? [])];
  t.deepEqual(Object.fromEntries(rows.map(([, name, max]) => [name, Number(max)])), { ...BOUNDS });
});

test('a place is given back once, and refusals are counted', t => {
  const { pages } = createBounds({ pages: 2 });
  const [first, second] = [pages.take(), pages.take()];
  t.is(pages.take(), null);
  first?.();
  first?.();
  t.is(pages.taken(), 1);
  t.not(pages.take(), null);
  t.is(pages.take(), null);
  second?.();
  t.is(pages.taken(), 1);
  t.is(pages.refused(), 2);
});
