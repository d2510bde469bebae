// A real browser for tests: that of the whole run, or one of this machine.
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/test/find-chromium.ts';

const executablePath = await findChromium(process.env);

/** Without a browser tests are skipped; `npm test` then fails under CI=true. */
export const HAS_BROWSER = executablePath !== null;

/** How long a step waits for what it needs: on a slow machine longer than Playwright's 30 seconds. */
const STEP_MS_MAX = 240_000;

/** Call `close` in `test.after.always`. */
export async function startBrowser(): Promise<Browser> {
  if (executablePath === null) throw new Error('Expected a Chromium, got none');
  // Without the sandbox, which root may not use; all pages are our own.
  const args = ['--no-sandbox'];
  const browser = await chromium.launch({ executablePath, args, timeout: STEP_MS_MAX });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async options => {
    const context = await newContext(options);
    context.setDefaultTimeout(STEP_MS_MAX);
    return context;
  };
  return browser;
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Returns the violations that axe finds on a page as sentences; empty without any. */
export async function violationsOf(page: Page): Promise<string[]> {
  const { readFile } = await import('node:fs/promises');
  await page.evaluate(await readFile(axePath, 'utf8'));
  const results: axe.AxeResults = await page.evaluate('axe.run()');
  return results.violations.map(({ id, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target}: ${failureSummary}`);
    return `${page.url()} ${id}\n${places.join('\n')}`;
  });
}

/** The folder for screenshots of the pages; absent, none are taken. */
const PICTURES = process.env.SCREENSHOTS;
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

/** Checks a page in light and dark, wide and narrow; returns the violations of axe and any sideways scrolling. */
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
  /** Addresses of requests to any other host; these requests fail. */
  readonly outside: string[];
  /** Messages of errors on the browser's console. */
  readonly complaints: string[];
  /** Addresses of page loads. */
  readonly loads: string[];
}

/** Records the requests and errors of the pages of a context. `origin` is their own. */
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
