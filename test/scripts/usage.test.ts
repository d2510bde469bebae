// A wrong option is one line from each program of scripts/, which starts nothing then.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';

/** Those that take no options of their own, or hand them on. */
const OTHERS = ['coverage', 'sbom', 'test', 'test-node', 'test-watch'];

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const programs = [
  ...Object.values<string>(scripts)
    .join(' ')
    .matchAll(/dist\/scripts\/([\w-]+)\.js/g),
]
  .map(([, name]) => name as string)
  .filter((name, index, all) => all.indexOf(name) === index && !OTHERS.includes(name));

test('there are such programs', t => {
  t.deepEqual(programs.sort(), [
    ...['bench', 'chaos', 'compare', 'fuzz', 'generate', 'kafka', 'mongo', 'soak'],
  ]);
});

for (const name of programs) {
  test(`${name} refuses an option that it does not have`, t => {
    const args = [`dist/scripts/${name}.js`, '--colour'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    t.is(stdout, '');
    t.regex(stderr, /^Unknown option '--colour'; expected (?:none|\[--[^\n]*\])\n$/);
    t.is(status, 1);
  });
}
