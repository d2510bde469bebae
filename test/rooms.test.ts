// The rooms of src (docs/architecture.md): no arrow of imports runs back, and the page says of each room what it imports.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from './helpers/file-test.ts';
import { sourceFiles } from './helpers/source-files.ts';

const ROOT = process.cwd();
const SPECIFIER = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** Files that put a room together: they stand above its folders, the other files of the room below them. */
const DOORS = [
  'src/http/create-app.ts',
  'src/http/create-router.ts',
  'src/http/listen.ts',
  'src/http/refuse-unread.ts',
  'src/pages/operators/create-management.ts',
  'src/pages/settings/create-pages.ts',
  'src/projector/projector.ts',
];

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns what imports what, where `placeOf` names the place of a file. */
function arrowsOf(folders: readonly string[], placeOf: (file: string) => string): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const file of sourceFiles(ROOT, folders)) {
    const from = placeOf(file);
    const to = arrows.get(from) ?? new Set<string>();
    arrows.set(from, to);
    for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(SPECIFIER)) {
      const place = placeOf(normalize(join(dirname(file), path)));
      if (place !== from) to.add(place);
    }
  }
  return arrows;
}

/** Returns the first circle of arrows as its places in order, or null. */
function circleOf(arrows: Arrows): string[] | null {
  const done = new Set<string>();
  function visit(place: string, path: readonly string[]): string[] | null {
    const at = path.indexOf(place);
    if (at !== -1) return [...path.slice(at), place];
    if (done.has(place)) return null;
    for (const next of arrows.get(place) ?? []) {
      const circle = visit(next, [...path, place]);
      if (circle) return circle;
    }
    done.add(place);
    return null;
  }
  for (const place of arrows.keys()) {
    const circle = visit(place, []);
    if (circle) return circle;
  }
  return null;
}

const folderOf = (file: string) =>
  DOORS.includes(file) ? `${dirname(file)} (door)` : dirname(file);

/** Rooms whose folders the page lists one by one. */
const PARTED = ['src/pages', 'src/store'];

function roomOf(file: string): string {
  const folders = dirname(file).split('/');
  const room = folders.slice(0, 2).join('/');
  if (PARTED.includes(room)) return folders.slice(0, 3).join('/');
  return file.startsWith('src/') ? room : (folders[0] ?? '');
}

test('a circle is found', t => {
  const arrows = new Map([
    ['a', new Set(['b'])],
    ['b', new Set(['c', 'd'])],
    ['c', new Set(['b'])],
  ]);
  t.deepEqual(circleOf(arrows), ['b', 'c', 'b']);
  t.is(circleOf(new Map([['a', new Set(['b'])]])), null);
});

test('no arrow between folders of src runs back, inside a room neither', t => {
  const arrows = arrowsOf(['src'], folderOf);
  t.true(arrows.size > 25, `${arrows.size} folders`);
  t.deepEqual(circleOf(arrows), null);
});

test('every door exists', t => {
  const files = sourceFiles(ROOT, ['src']);
  t.deepEqual(
    DOORS.filter(door => !files.includes(door)),
    [],
  );
});

test('the machine of a partition waits for nothing and reads no clock', t => {
  const files = sourceFiles(ROOT, ['src/projector/machine']);
  t.true(files.length > 3, files.join());
  for (const file of files) {
    const code = readFileSync(join(ROOT, file), 'utf8').replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    t.notRegex(
      code,
      /\b(?:async|await|Promise|Date|performance|process|setTimeout|Math\.random)\b/,
      file,
    );
  }
});

test("docs/architecture.md says each room's imports", t => {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `([\w/-]+)\/` \|.*\| ([^|]+) \|$/gm)];
  const said = rows.map(([, room = '', imports = '']) => [room, imports.trim()]);
  const arrows = arrowsOf(['src', 'projections', 'schemas'], roomOf);
  t.is(circleOf(arrows), null);
  const drawn = [...arrows].map(([room, imports]) => {
    const names = [...imports].map(name => name.replace('src/', '')).sort();
    return [room, names.map(name => `\`${name}\``).join(', ') || 'nothing'];
  });
  t.deepEqual(Object.fromEntries(said), Object.fromEntries(drawn));
});
