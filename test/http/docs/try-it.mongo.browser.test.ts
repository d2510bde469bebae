// Try it on /docs in a real browser, against a reader that runs: what is sent, what is shown, and where the token stays.
import test from 'ava';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { HAS_BROWSER, lookAt, startBrowser, watch } from '../../helpers/browser.ts';
import { type StartedMongo, startMongo } from '../../helpers/mongo.ts';
import { account, budget, payee, space } from '../../model/scene.ts';
import { type Served, serve } from '../serve.ts';

const inBrowser = HAS_BROWSER ? test.serial : test.serial.skip;

let mongo: StartedMongo;
let browser: Browser;
let served: Served;
let token: string;

test.before(async () => {
  if (!HAS_BROWSER) return;
  mongo = await startMongo();
  browser = await startBrowser();
  served = await serve(mongo, 'docs_try_it');
  const { project } = served.model;
  await project('home', ...space(['anna']));
  await project('household', budget('home'), account('bank'), payee('p1', 'Café <b>Central</b>'));
  token = await served.issue('anna');
});

test.after.always(async () => {
  await browser?.close();
  await served?.stop();
  await mongo?.stop();
});

/** Opens the form of an endpoint by keyboard. */
async function opened(page: Page, anchor: string): Promise<Locator> {
  const box = page.locator(`#${anchor} [data-try]`);
  await box.locator('summary').focus();
  await page.keyboard.press('Enter');
  return box;
}

/** Sends the form by keyboard, and returns the status line that follows. */
async function sent(box: Locator): Promise<string> {
  await box.getByRole('button', { name: 'Send' }).press('Enter');
  const status = box.getByRole('status');
  await status.filter({ hasText: / from |got none/ }).waitFor();
  return (await status.textContent()) ?? '';
}

const bodyOf = async (box: Locator) => (await box.locator('.answer code').textContent()) ?? '';

async function headersOf(box: Locator): Promise<Map<string, string>> {
  const [names, values] = [box.locator('.answer dt'), box.locator('.answer dd')];
  const texts = await values.allTextContents();
  return new Map((await names.allTextContents()).map((name, index) => [name, texts[index] ?? '']));
}

inBrowser('a request goes to this service, and its answer is shown with its headers', async t => {
  const context = await browser.newContext();
  t.teardown(() => context.close());
  const { outside, complaints } = await watch(context, served.origin);
  const requests: Request[] = [];
  const page = await context.newPage();
  page.on('request', request => requests.push(request));
  await page.goto(`${served.origin}/docs`);

  // Without a token the answer is an error of the service, which is shown like any other.
  const accounts = await opened(page, 'get-accounts');
  t.is(await sent(accounts), '401 Unauthorized from /api/v1/accounts?budget_id=household');
  t.is(JSON.parse(await bodyOf(accounts)).error.code, 'unauthenticated');
  t.true((await headersOf(accounts)).has('WWW-Authenticate'));

  await accounts.getByLabel('Token').fill(` ${token} `);
  t.is(await sent(accounts), '200 OK from /api/v1/accounts?budget_id=household');
  t.is(JSON.parse(await bodyOf(accounts)).accounts[0].id, 'bank');
  const headers = await headersOf(accounts);
  t.is(headers.get('X-Projection-Position'), '3');
  t.regex(headers.get('X-RateLimit-Remaining') ?? '', /^\d+$/);
  t.deepEqual(await lookAt(page, 'api-docs-tried'), []);

  // What an earlier answer said can be sent again.
  await accounts.getByLabel('If-None-Match').fill(headers.get('ETag') ?? '');
  t.regex(await sent(accounts), /^304 /);
  t.false(await accounts.locator('.answer pre').isVisible());

  // Another endpoint has the token already. Parameters go where they belong, and data is shown as text.
  const payees = await opened(page, 'get-payees');
  await payees.getByLabel('limit').fill('1');
  t.is(await sent(payees), '200 OK from /api/v1/payees?budget_id=household&limit=1');
  t.true((await bodyOf(payees)).includes('Café <b>Central</b>'));
  t.is(await payees.locator('.answer b').count(), 0);
  const month = await opened(page, 'get-months-month');
  await month.getByLabel('month', { exact: false }).first().fill('2024-05');
  t.is(await sent(month), '200 OK from /api/v1/months/2024-05?budget_id=household');
  const rows = await opened(page, 'get-transactions');
  await rows.getByLabel('uncleared').selectOption('true');
  await rows.getByLabel('search').fill('a&b é');
  await sent(rows);
  const asked = new URL(requests.at(-1)?.url() ?? '').searchParams;
  t.deepEqual(Object.fromEntries(asked), {
    budget_id: 'household',
    search: 'a&b é',
    uncleared: 'true',
    limit: '5',
  });

  t.deepEqual(outside, []);
  t.deepEqual(
    complaints.filter(text => !/status of 401/.test(text)),
    [],
  );
});

inBrowser('a token stays in the memory of the page', async t => {
  const context = await browser.newContext();
  t.teardown(() => context.close());
  const requests: Request[] = [];
  const page = await context.newPage();
  page.on('request', request => requests.push(request));
  await page.goto(`${served.origin}/docs`);
  const budgets = await opened(page, 'get-budgets');
  await budgets.getByLabel('Token').fill(token);
  t.regex(await sent(budgets), /^200 OK/);

  t.is(page.url(), `${served.origin}/docs`);
  const stored = await page.evaluate(
    '(async () => [localStorage.length, sessionStorage.length, document.cookie, (await indexedDB.databases()).length, (await caches.keys()).length])()',
  );
  t.deepEqual(stored, [0, 0, '', 0, 0]);
  t.deepEqual(await context.cookies(), []);
  t.false((await page.content()).includes(token), 'nor is it in the text of the page');
  const withToken = await Promise.all(
    requests.map(async request => JSON.stringify(await request.allHeaders()).includes(token)),
  );
  t.is(withToken.filter(Boolean).length, 1, 'one request carries it');
  for (const request of requests) t.false(request.url().includes(token));
  t.false(JSON.stringify(served.lines).includes(token), 'nor does the service log it');

  await page.reload();
  for (const value of await page.locator('[data-token]').all()) t.is(await value.inputValue(), '');
});

inBrowser('the page can ask no other host, and says so when no answer comes', async t => {
  const other = await serve(mongo, 'docs_try_other', { empty: true });
  t.teardown(() => other.stop());
  const page = await browser.newPage();
  t.teardown(() => page.close());
  await page.goto(`${served.origin}/docs`);
  const otherOrigin = `fetch('${other.origin}/api/v1/budgets').then(() => 'sent', () => 'refused')`;
  t.is(await page.evaluate(otherOrigin), 'refused');
  t.false(JSON.stringify(other.lines).includes('/budgets'));
  await page.route('**/api/v1/**', route => route.abort());
  const budgets = await opened(page, 'get-budgets');
  t.regex(await sent(budgets), /^Expected an answer from \/api\/v1\/budgets, got none: /);
  t.false(await budgets.locator('.answer').isVisible());
});
