// The programs of docs/clients.md, and what each must do as it is printed, against `npm start`.
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { ExecutionContext } from 'ava';
import { hundredthsOf } from '../model/money-text.ts';
import { blocksOf } from './recipe-page.ts';
import { transactionsFrom } from './recipe-questions.ts';
import type { Scene } from './recipe-scene.ts';
import { runBlock, type ShellBlock } from './shell-blocks.ts';

export const PAGE = 'docs/clients.md';
const MINUTE_MS = 60_000;

export interface ClientProgram {
  readonly title: string;
  readonly language: string;
  readonly file: string;
  readonly code: string;
  /** Generates, compiles and runs it; the last line runs it again. */
  readonly commands: string;
}

/** Returns the programs of the page; throws unless each has its block of commands, after one that sets the environment. */
export function clientPrograms([, ...commands]: readonly ShellBlock[]): ClientProgram[] {
  const text = readFileSync(PAGE, 'utf8');
  const sections = text.split(/^## /m).slice(1);
  if (commands.length !== sections.length) {
    throw new Error(`Expected ${sections.length} blocks of commands, got ${commands.length}`);
  }
  return sections.map((section, index) => {
    const [title = ''] = section.split('\n');
    const [program, ...others] = blocksOf(section).filter(({ language }) => language !== 'sh');
    if (program?.file == null || others.length > 0)
      throw new Error(`Expected one program: ${title}`);
    return { ...program, file: program.file, title, commands: commands[index]?.code ?? '' };
  });
}

/** Generates and compiles a client, and runs it on answers as they are, newer ones and refusals. */
export async function followClient(
  t: ExecutionContext,
  scene: Scene,
  { file, code, commands }: ClientProgram,
): Promise<void> {
  t.timeout(15 * MINUTE_MS);
  const recipe = { title: PAGE, scopes: ['transactions:read'], blocks: [] };
  const { token, folder } = await scene.follow(t, recipe);
  const env = { ...process.env, API: `${scene.origin}/api/v1`, TOKEN: token };
  await writeFile(join(folder, file), code);
  const expected = await expectedSums(scene);
  t.true(expected.length > 30);
  const built = await runBlock(commands, folder, env);
  t.is(built.code, 0, `${built.out}\n${built.err}`);
  t.deepEqual(sumsIn(built.out), expected);

  const last = commands.trimEnd().split('\n').at(-1) ?? '';
  scene.bodies.change = body =>
    body.replaceAll('"type":"standard"', '"type":"of tomorrow","fresh":{"a":1}');
  const newer = await runBlock(last, folder, env);
  scene.bodies.change = body => body;
  t.is(newer.code, 0, newer.err);
  t.deepEqual(sumsIn(newer.out), expected);

  scene.refusals.push({ status: 429, code: 'rate_limited', headers: { 'retry-after': '1' } });
  const limited = await runBlock(last, folder, env);
  t.not(limited.code, 0);
  t.regex(limited.err, /rate_limited: Refused by the test/);

  await askTooMuch(t, folder, [last.split(' ').at(-1) ?? '', file]);
  const refused = await runBlock(last, folder, env);
  t.not(refused.code, 0);
  t.regex(refused.err, /invalid_parameter: Expected limit to be at most 1000, got 5000/);
}

/** Returns what a program prints: a line for each category. */
async function expectedSums(scene: Scene): Promise<string[]> {
  const sums = new Map<string, bigint>();
  for (const { categoryId, amount } of await transactionsFrom(scene, {})) {
    sums.set(categoryId ?? '-', (sums.get(categoryId ?? '-') ?? 0n) + hundredthsOf(amount));
  }
  return [...sums].map(([category, sum]) => `${category} ${sum}`).sort();
}

/** Some versions of Maven reset the colours of a terminal that is none. */
function sumsIn(out: string): string[] {
  return stripVTControlCharacters(out)
    .split('\n')
    .filter(line => /^\S+ -?\d+$/.test(line))
    .sort();
}

/** Puts a limit that the API refuses into what the last command runs: the file that it names, or the program itself. */
async function askTooMuch(
  t: ExecutionContext,
  folder: string,
  [named, program]: readonly [string, string],
): Promise<void> {
  const text = await readFile(join(folder, named), 'utf8').catch(() => null);
  const code = text ?? (await readFile(join(folder, program), 'utf8'));
  const changed = code.replace(/(limit(?:: | = |=|\(|, more := ))(?:1000|1e3)/, '$15000');
  t.not(changed, code);
  await writeFile(join(folder, text === null ? program : named), changed);
}
