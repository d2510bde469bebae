// A real browser for tests: the one that the whole run found, or else one of this machine.
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/test/find-chromium.ts';

const executablePath = await findChromium(process.env);

/** Whether there is one. Tests are skipped by name where there is none; `npm test` fails then under CI=true. */
export const HAS_BROWSER = executablePath !== null;

/** Call `close` in `test.after.always`. */
export async function startBrowser(): Promise<Browser> {
  if (executablePath === null) throw new Error('Expected a Chromium, got none');
  // Without its sandbox, which root may not use: the pages are ours.
  return await chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds wrong with a page, as sentences; empty when it finds nothing. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { readFile } = await import('node:fs/promises');
  await page.evaluate(await readFile(axePath, 'utf8'));
  const results: axe.AxeResults = await page.evaluate('axe.run()');
  return results.violations.map(({ id, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`);
    return `${page.url()} ${id}\n${places.join('\n')}`;
  });
}
