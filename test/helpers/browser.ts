// A real browser for tests: the one that the whole run found, or else one of this machine.
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
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

/** A folder that pictures of the pages are written to, for people to look at; none where it is not set. */
const PICTURES = process.env.SCREENSHOTS;
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

/** What is wrong with a page in light and dark, wide and narrow: what axe finds, and what has to be scrolled sideways. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      found.push(...(await violationsOf(page)));
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      if (isWide) found.push(`${name} is wider than ${size.width}`);
      if (PICTURES) {
        const path = `${PICTURES}/${name}-${colorScheme}-${size.width}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
  return found;
}

export interface Watched {
  /** Requests to any other host, which fail. */
  readonly outside: string[];
  /** Errors on the browser's console. */
  readonly complaints: string[];
  /** Pages that were loaded. */
  readonly loads: string[];
}

/** Notes what the pages of a context ask for and complain of. `origin` is theirs. */
export async function watch(context: BrowserContext, origin: string): Promise<Watched> {
  const watched: Watched = { outside: [], complaints: [], loads: [] };
  await context.route('**/*', route => {
    const url = route.request().url();
    if (route.request().isNavigationRequest()) watched.loads.push(url);
    if (url.startsWith(origin) || url.startsWith('data:')) return route.continue();
    watched.outside.push(url);
    return route.abort();
  });
  context.on('console', message => {
    if (message.type() === 'error') watched.complaints.push(message.text());
  });
  return watched;
}
