// What a test needs and which set it is in, by its name alone: `test/NAME[.NEED…][.model|.long].test.ts`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/process/errors.ts';

/**
 * - `mongo`: a mongod that all files share
 * - `kafka`: a broker that all files share
 * - `browser`: Chromium
 * - `programs`: curl, jq and Python
 * - `actual`: Actual Budget's own engine
 */
export const NEEDS = ['mongo', 'kafka', 'browser', 'programs', 'actual'] as const;
export type Need = (typeof NEEDS)[number];

/** Needs that a contributor's machine may lack: their files are in no set but the whole. */
const RARE: readonly Need[] = ['browser', 'programs', 'actual'];

/**
 * - `unit`: files without a need, each short; they share a few processes
 * - `short`: `npm test`; those of `unit`, those that keep a processor busy, and files that need a mongod or Kafka and are short
 * - `rest`: all others
 * - `all`: `short` and `rest`
 */
export type TestSet = 'unit' | 'short' | 'rest' | 'all';

const PACES = ['model', 'long'] as const;
type Pace = (typeof PACES)[number];

export interface TestFile {
  /** From the root. */
  readonly path: string;
  readonly needs: readonly Need[];
  /**
   * `model`: it searches a model of the protocol, plays many random histories or reads the largest inputs, which keeps a
   * processor busy for seconds; `long`: it takes so long that no push should wait for it.
   */
  readonly pace: Pace | null;
}

/** @throws UserError if the name says something that is no need, or says it in another order */
export function testFileOf(path: string): TestFile {
  const [, ...words] = (path.split('/').at(-1) ?? '').replace(/\.test\.ts$/, '').split('.');
  const pace = PACES.find(word => word === words.at(-1)) ?? null;
  const needs = pace === null ? words : words.slice(0, -1);
  const known = NEEDS.filter(need => needs.includes(need));
  if (known.join() !== needs.join()) {
    const expected = `of ${NEEDS.join(', ')} in this order, then maybe ${PACES.join(' or ')}`;
    throw new UserError(
      `${path}: Expected its name to contain words ${expected}, got ${words.join('.')}`,
    );
  }
  return { path, needs: known, pace };
}

export function isInSet(set: TestSet, { needs, pace }: TestFile): boolean {
  const isShort = pace !== 'long' && !needs.some(need => RARE.includes(need));
  if (set === 'unit') return pace === null && needs.length === 0;
  if (set === 'short') return isShort;
  return set === 'all' || !isShort;
}

/** Returns the test files of a checkout in order. Sources, because dist may hold files that are gone. */
export function testFilesIn(root: string): TestFile[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .sort()
    .map(name => testFileOf(`test/${name}`));
}

/** Returns where the build puts a file of test/. */
export function compiledPath({ path }: TestFile): string {
  return `dist/${path.replace(/\.ts$/, '.js')}`;
}
