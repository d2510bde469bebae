// The shell blocks of README and docs, with what the comment before each says about running it.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ShellBlock {
  readonly page: string;
  readonly line: number;
  readonly code: string;
  /** The text of the comment right before the block, null without one. */
  readonly comment: string | null;
  /** The block right after it, if that shows output. */
  readonly output: string | null;
}

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const FENCE =
  /^(?: *<!-- (?<comment>.*?) -->\n)?(?<indent> *)```(?<language>\w*)\n(?<code>.*?)^ *```$/gms;

/** docs/recipes.md has tests of its own, with a person for each recipe. */
export function pagesWithBlocks(): string[] {
  const names = readdirSync('docs').filter(name => name.endsWith('.md'));
  return ['README.md', ...names.filter(name => name !== 'recipes.md').map(name => `docs/${name}`)];
}

export function shellBlocks(page: string): ShellBlock[] {
  const text = readFileSync(join(process.cwd(), page), 'utf8');
  const blocks = [...text.matchAll(FENCE)].map(({ groups = {}, index, 0: whole }) => ({
    comment: groups.comment ?? null,
    language: groups.language ?? '',
    code: (groups.code ?? '').replaceAll(new RegExp(`^${groups.indent}`, 'gm'), ''),
    line: text.slice(0, index + whole.indexOf('```')).split('\n').length,
    end: index + whole.length,
    index,
  }));
  return blocks.flatMap(({ comment, language, code, line, end }, at) => {
    if (language !== 'sh') return [];
    const next = blocks[at + 1];
    const follows = next !== undefined && text.slice(end, next.index).trim() === '';
    const shows = follows && (next.language === '' || next.language === 'json');
    return [{ page, line, code, comment, output: shows ? next.code : null }];
  });
}

/**
 * Runs a block in a shell that stops at the first command that fails. The first `npx budgeting` of a new home would run
 * the checkout's `prepare`, which builds what other tests are running.
 */
export function runBlock(code: string, cwd: string, given: NodeJS.ProcessEnv): Promise<Ran> {
  const env = { ...given, npm_config_ignore_scripts: 'true' };
  return new Promise(resolve => {
    const limits = { timeout: 500_000, maxBuffer: 2 ** 27 };
    const script = `set -euo pipefail\n${code}`;
    execFile('bash', ['-c', script], { cwd, env, ...limits }, (error, out, err) => {
      const killed = error?.killed ? `Killed after ${limits.timeout} ms\n` : '';
      resolve({ code: error ? Number(error.code ?? 1) : 0, out, err: withoutNpm(err) + killed });
    });
  });
}

/** npm warns about the settings of a machine. */
function withoutNpm(err: string): string {
  return err.replaceAll(/^npm (?:warn|notice).*\n?/gm, '');
}
