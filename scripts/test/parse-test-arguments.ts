// The arguments of `npm test`: a set or files, and options of ava.
import { UserError } from '../../src/process/errors.ts';
import { isInSet, type TestFile, type TestSet } from './test-files.ts';

export interface TestArguments {
  readonly files: readonly TestFile[];
  /** Passed on as they are. */
  readonly options: readonly string[];
}

const SETS: Readonly<Record<string, TestSet>> = {
  '--unit': 'unit',
  '--rest': 'rest',
  '--all': 'all',
};
const IS_FILE = /^(?:\.\/)?(?:dist\/)?(test\/.*)\.[jt]s$/;

/**
 * `npm test -- test/foo.test.ts --match '*bar*'`. A name may contain `*`, `**` and `{a,b}`.
 *
 * @param all files of the checkout
 * @throws UserError if a name is that of no file
 */
export function parseTestArguments(
  args: readonly string[],
  all: readonly TestFile[],
): TestArguments {
  const options: string[] = [];
  const named: TestFile[] = [];
  let set: TestSet = 'short';
  for (const argument of args) {
    const path = IS_FILE.exec(argument)?.[1];
    if (path !== undefined) named.push(...filesNamed(`${path}.ts`, all));
    else if (SETS[argument]) set = SETS[argument];
    else options.push(argument);
  }
  if (named.length > 0) return { files: [...new Set(named)], options };
  return { files: all.filter(file => isInSet(set, file)), options };
}

function filesNamed(pattern: string, all: readonly TestFile[]): TestFile[] {
  const source = pattern
    .replaceAll(/[.+^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\*\*\/|\*/g, stars => (stars === '*' ? '[^/]*' : '(.+/)?'))
    .replaceAll(/\{(.*?)\}/g, (_, names: string) => `(${names.replaceAll(',', '|')})`);
  const expression = new RegExp(`^${source}$`);
  const found = all.filter(({ path }) => expression.test(path));
  if (found.length === 0) throw new UserError(`Expected names of test files, got ${pattern}`);
  return found;
}
