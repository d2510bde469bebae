// The operators' page in a real browser during a rebuild: wide and narrow, light and dark, with and without scripts.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { requestBuild } from '../../../src/generations/operate.ts';
import { createCollections } from '../../../src/store/collections.ts';
import { HAS_BROWSER, lookAt, startBrowser, watch } from '../../helpers/browser.ts';
import { type StartedMongo, startMongo } from '../../helpers/mongo.ts';
import { account, payee, row } from '../../model/scene.ts';
import { CREATED, eventMaker } from '../../projections/story.ts';
import { type ManagementScene, startManagementScene } from './management-scene.ts';

const inBrowser = HAS_BROWSER ? test.serial : test.serial.skip;

let mongo: StartedMongo;
let browser: Browser;
let here: ManagementScene;

test.before(async () => {
  if (!HAS_BROWSER) return;
  mongo = await startMongo();
  browser = await startBrowser();
  here = await startManagementScene(mongo, { partitions: 3 });
  here.watch();
  const reader = await here.read();
  for (const path of ['/', '/docs', '/api/v1/budgets', '/nothing'])
    await fetch(reader.address + path);
  await beginRebuild();
});

test.after.always(async () => {
  await browser?.close();
  await here?.stop();
  await mongo?.stop();
});

/** One generation is active, another is requested and not built yet; three streams are held. */
async function beginRebuild(): Promise<void> {
  const good = eventMaker('budget-1');
  const drafts = [CREATED, account('a', true)];
  for (let number = 0; number < 1500; number += 1) {
    drafts.push(row(`t-${number}`, { accountId: 'a' }));
  }
  const bad = eventMaker('budget-2');
  const early = eventMaker('-budget-3');
  const long = eventMaker(`budget-${'9'.repeat(90)}`);
  await here.append([
    ...drafts.map(draft => good(draft)),
    ...[CREATED, payee('p'), payee('p')].map(draft => bad(draft)),
    early(CREATED, { sequence: 4 }),
    long(payee('p')),
  ]);
  const projecting = here.project();
  await here.until(({ active }) => active === 'g1');
  await projecting.stop();
  const { id } = await requestBuild(here.readModel, PROJECTIONS_VERSION);
  await createCollections(here.readModel, id);
}

async function watched(javaScriptEnabled: boolean) {
  const context = await browser.newContext({ javaScriptEnabled });
  const notes = await watch(context, here.address);
  return { context, page: await context.newPage(), ...notes };
}

const heading = (page: Page, text: RegExp) => page.getByRole('heading', { name: text });

inBrowser('a rebuild is followed by itself, and everything that is held is named', async t => {
  const { context, page, outside, complaints, loads } = await watched(true);
  t.teardown(() => context.close());
  await page.goto(`${here.address}/`);
  await heading(page, /^g2 building$/).waitFor();
  await heading(page, /^g1 active$/).waitFor();
  await page.getByText('0 of 1,507 events (0 %)').waitFor();
  await page.getByRole('img', { name: /g2 at most 1,507, now 1,507/ }).waitFor();
  const problems = await lookAt(page, 'rebuild');
  for (const command of [
    'npx budgeting parked retry budget-2',
    'npx budgeting parked skip --event=budget-2.3 budget-2',
    'npx budgeting parked skip --missing -- -budget-3',
  ]) {
    await page.getByText(command, { exact: true }).waitFor();
  }

  const waiting = page.getByRole('table', { name: 'First events waiting in budget-2' });
  t.regex(
    (await waiting.textContent()) ?? '',
    /3\s*payee\.added\s*budget-2\.3\s*2024-01-01 00:03:00 UTC/,
  );

  // A selection stays when the page refreshes.
  const retry = 'npx budgeting parked retry budget-2';
  const selected = () => page.evaluate('String(getSelection())');
  // A refresh may replace the element before it is selected.
  while ((await selected()) !== retry) {
    await page
      .getByText(retry, { exact: true })
      .selectText()
      .catch(() => {});
  }
  here.project();
  await here.until(({ active }) => active === 'g2');
  await sleep(3000);
  t.is(await heading(page, /^g2 building$/).count(), 1);
  t.is(await selected(), retry);
  await page.evaluate('getSelection().removeAllRanges()');
  await heading(page, /^g2 active$/).waitFor();
  await heading(page, /^g1 retired$/).waitFor();
  await page.getByText('1,507 of 1,507 events (100 %)').first().waitFor();
  problems.push(...(await lookAt(page, 'rebuilt')));
  t.is(loads.length, 1, 'no reload of the page');
  t.deepEqual(problems, []);
  t.deepEqual(outside, []);
  t.deepEqual(complaints, [], 'no complaint of the browser, in particular about the policy');

  // A keyboard reaches the content past the links.
  await page.goto(`${here.address}/`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  t.is(await page.evaluate('document.activeElement.id'), 'main');
});

inBrowser('without scripts the page loads itself anew, unless it is asked not to', async t => {
  const { context, page, outside, loads } = await watched(false);
  t.teardown(() => context.close());
  await page.goto(`${here.address}/`);
  await heading(page, /^g\d active$/).waitFor();
  while (loads.length < 2) await sleep(200);
  await heading(page, /^g\d active$/).waitFor();
  await page.getByRole('link', { name: 'Stop refreshing' }).click();
  await page.getByRole('link', { name: 'Refresh by itself' }).waitFor();
  t.notRegex(await page.content(), /http-equiv/);
  t.deepEqual(outside, []);
});

inBrowser('the page says that its process stands still, until it goes on', async t => {
  const { context, page } = await watched(true);
  t.teardown(() => context.close());
  await page.goto(`${here.address}/`);
  const stale = page.getByText('The process does not answer: what follows is old.');
  await page.route(`${here.address}/`, () => undefined);
  await stale.waitFor();
  t.deepEqual(await lookAt(page, 'still'), []);
  await page.unroute(`${here.address}/`);
  await stale.waitFor({ state: 'hidden' });
  t.true(await stale.isHidden());
});

inBrowser('a process that does not answer any more is told', async t => {
  const other = await startManagementScene(mongo);
  t.teardown(() => other.stop().catch(() => {}));
  const context = await browser.newContext();
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(`${other.address}/`);
  await page.getByText('The database does not answer', { exact: true }).waitFor();
  t.deepEqual(await lookAt(page, 'waiting'), []);
  await other.stop();
  await page.getByText('The process does not answer: what follows is old.').waitFor();
  t.deepEqual(await lookAt(page, 'stale'), []);
});
