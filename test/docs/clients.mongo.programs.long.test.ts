// docs/clients.md: its clients are generated, compiled and run as they are printed, against `npm start`.
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { hundredthsOf } from '../model/money-text.ts';
import { blocksOf } from './recipe-page.ts';
import { transactionsFrom } from './recipe-questions.ts';
import { runBlock, shellBlocks } from './shell-blocks.ts';
import { useScene } from './use-scene.ts';

const PAGE = 'docs/clients.md';
const MINUTE_MS = 60_000;

const { programTest, scene } = await useScene(test);
const [, ...commands] = shellBlocks(PAGE).map(({ code }) => code);
const text = readFileSync(PAGE, 'utf8');
const titles = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
const programs = blocksOf(text).filter(({ language }) => language !== 'sh');

/** Returns what a program prints: a line for each category. */
async function expectedSums(): Promise<string[]> {
  const sums = new Map<string, bigint>();
  for (const { categoryId, amount } of await transactionsFrom(scene(), {})) {
    sums.set(categoryId ?? '-', (sums.get(categoryId ?? '-') ?? 0n) + hundredthsOf(amount));
  }
  return [...sums].map(([category, sum]) => `${category} ${sum}`).sort();
}

function sumsIn(out: string): string[] {
  return out
    .split('\n')
    .filter(line => /^\S+ -?\d+$/.test(line))
    .sort();
}

/** Puts a limit into the program that the API refuses. */
async function askTooMuch(t: ExecutionContext, file: string): Promise<void> {
  const code = await readFile(file, 'utf8');
  const changed = code.replace(/(limit(?:: |=))(?:1000|1e3)/, '$15000');
  t.not(changed, code);
  await writeFile(file, changed);
}

test('the page has a program for each block of commands', t => {
  t.is(commands.length, programs.length);
  t.true(programs.length >= 3);
});

for (const [index, { file, code }] of programs.entries()) {
  const command = commands[index] ?? '';
  programTest(
    `${titles[index]}: a generated client reads all rows, and types refusals`,
    async t => {
      t.timeout(15 * MINUTE_MS);
      const recipe = { title: PAGE, scopes: ['transactions:read'], blocks: [] };
      const { token, folder } = await scene().follow(t, recipe);
      const env = { ...process.env, API: `${scene().origin}/api/v1`, TOKEN: token };
      await writeFile(join(folder, file ?? ''), code);
      const expected = await expectedSums();
      t.true(expected.length > 30);
      const built = await runBlock(command, folder, env);
      t.is(built.code, 0, `${built.out}\n${built.err}`);
      t.deepEqual(sumsIn(built.out), expected);

      const last = command.trimEnd().split('\n').at(-1) ?? '';
      scene().bodies.change = body =>
        body.replaceAll('"type":"standard"', '"type":"of tomorrow","fresh":{"a":1}');
      const newer = await runBlock(last, folder, env);
      scene().bodies.change = body => body;
      t.is(newer.code, 0, newer.err);
      t.deepEqual(sumsIn(newer.out), expected);

      scene().refusals.push({ status: 429, code: 'rate_limited', headers: { 'retry-after': '1' } });
      const limited = await runBlock(last, folder, env);
      t.not(limited.code, 0);
      t.regex(limited.err, /rate_limited: Refused by the test/);

      await askTooMuch(t, join(folder, last.split(' ').at(-1) ?? ''));
      const refused = await runBlock(last, folder, env);
      t.not(refused.code, 0);
      t.regex(refused.err, /invalid_parameter: Expected limit to be at most 1000, got 5000/);
    },
  );
}
