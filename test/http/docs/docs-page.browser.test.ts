// The page in a real browser: wide and narrow, light and dark, with and without scripts, on paper and by keyboard.
import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { HAS_BROWSER, lookAt, startBrowser, watch } from '../../helpers/browser.ts';
import { serveBare } from '../serve-bare.ts';

const inBrowser = HAS_BROWSER ? test.serial : test.serial.skip;
/** In pixels at a width of 1280, everything closed; the page before had 23,000. */
const HEIGHT_MAX = 13_500;

let browser: Browser;
test.before(async () => {
  if (HAS_BROWSER) browser = await startBrowser();
});
test.after.always(async () => {
  await browser?.close();
});

const heightOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight');
const shownSections = (page: Page) =>
  page.evaluate<string[]>(
    'Array.from(document.querySelectorAll("[data-searched]:not([hidden])"), one => one.id)',
  );

inBrowser('the page is short, looks right at every size, and its tools work', async t => {
  const served = await serveBare(t);
  const origin = `http://127.0.0.1:${served.port}`;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  t.teardown(() => context.close());
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const { outside, complaints } = await watch(context, origin);
  const page = await context.newPage();
  await page.goto(`${origin}/docs`);
  t.true((await heightOf(page)) < HEIGHT_MAX, `${await heightOf(page)} pixels`);
  t.deepEqual(await lookAt(page, 'api-docs'), []);

  // The navigation stays in sight beside what it leads to.
  await page.setViewportSize({ width: 1280, height: 900 });
  const link = page.getByRole('link', { name: '/balances' });
  await link.click();
  await page.getByRole('heading', { name: 'GET /balances' }).waitFor();
  t.true((await page.evaluate<number>('scrollY')) > 3000);
  const { y = -1 } = (await link.boundingBox()) ?? {};
  t.true(y > 0 && y < 900, `${y}`);
  t.is(new URL(page.url()).hash, '#get-balances');

  // The search leaves what contains all words, and a link to what it hides shows everything again.
  const all = await shownSections(page);
  await page.getByLabel('Search this page').fill('Cursor  deleted');
  t.deepEqual(await shownSections(page), ['sync', 'get-changes']);
  await page.getByText(`2 of ${all.length} sections`).waitFor();
  t.false(await page.getByRole('link', { name: '/balances' }).isVisible());
  await page.locator('#get-changes').getByRole('link', { name: '429' }).click();
  await page.locator('#status-429').waitFor();
  t.deepEqual(await shownSections(page), all);
  await page.getByLabel('Search this page').fill('');

  // What is copied is what is shown.
  await page.locator('#token').getByRole('button', { name: 'Copy' }).click();
  await page.locator('#token').getByText('Copied').waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), 'export TOKEN=service_pat_…');

  // A keyboard reaches the content past the links, and opens what is closed.
  await page.goto(`${origin}/docs`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  t.is(await page.evaluate('document.activeElement.id'), 'main');
  const python = page.locator('#get-payees summary', { hasText: 'Python' });
  await python.focus();
  await page.keyboard.press('Enter');
  await page.locator('#get-payees-python').waitFor({ state: 'visible' });

  // Programs keep their lines on a phone, and scroll.
  await page.setViewportSize({ width: 390, height: 844 });
  const shape = '(pre => [pre.scrollWidth > pre.clientWidth, pre.tabIndex])';
  const program = 'document.getElementById("get-payees-python").parentElement';
  t.deepEqual(await page.evaluate(`${shape}(${program})`), [true, 0]);
  await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
  t.deepEqual(await lookAt(page, 'api-docs-open'), []);
  t.deepEqual(outside, []);
  t.deepEqual(complaints, [], 'no complaint of the browser, in particular about the policy');
});

inBrowser('without scripts everything is there to read, and no tool that does nothing', async t => {
  const served = await serveBare(t);
  const context = await browser.newContext({ javaScriptEnabled: false });
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${served.port}/docs`);
  t.false(await page.getByLabel('Search this page').isVisible());
  t.is(await page.getByRole('button').count(), 0);
  await page.locator('#get-payees summary', { hasText: 'Parameters' }).click();
  await page.locator('#get-payees').getByText('The budget to read.').waitFor();
});

inBrowser('on paper everything is open, and nothing is there that only a screen needs', async t => {
  const served = await serveBare(t);
  const page = await browser.newPage();
  t.teardown(() => page.close());
  await page.goto(`http://127.0.0.1:${served.port}/docs`);
  await page.emulateMedia({ media: 'print' });
  t.false(await page.getByLabel('Search this page').isVisible());
  t.is(await page.getByRole('button').count(), 0);
  const { height = 0 } = (await page.locator('#guide-paging-python').boundingBox()) ?? {};
  t.true(height > 300, `${height}`);
  const pdf = await page.pdf();
  t.true(pdf.length > 50_000);
});
