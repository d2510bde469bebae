// Other ways through the settings pages in a real browser: through an issuer on another site, without scripts, by keyboard.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { HAS_BROWSER, startBrowser, violationsOf } from '../../helpers/browser.ts';
import { type StartedMongo, startMongo } from '../../helpers/mongo.ts';
import { startOidcScene } from './oidc-scene.ts';
import { projectSpaces, startScene } from './settings-scene.ts';

const inBrowser = HAS_BROWSER ? test : test.skip;

let mongo: StartedMongo;
let browser: Browser;
test.before(async () => {
  if (!HAS_BROWSER) return;
  mongo = await startMongo();
  browser = await startBrowser();
});
test.after.always(async () => {
  await browser?.close();
  await mongo?.stop();
});

inBrowser(
  'a person signs in at an issuer on another site, and stays signed in after a visit to other sites',
  async t => {
    const { scene } = await startOidcScene(t, mongo, { readers: 2 });
    const context = await browser.newContext();
    t.teardown(() => context.close());
    const page = await context.newPage();
    await page.goto(`${scene.origin}/settings/tokens`);
    t.deepEqual(await violationsOf(page), []);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('User').fill('anna');
    t.regex(page.url(), /^http:\/\/localhost:/);
    await page.getByRole('button', { name: 'Sign in at the issuer' }).click();
    await page.getByText('Signed in as anna').waitFor();
    t.is(page.url(), `${scene.origin}/settings/tokens`);
    for (const { name, sameSite, httpOnly } of await context.cookies(`${scene.origin}/settings`)) {
      t.deepEqual([name, sameSite, httpOnly], ['budgeting-session', 'Strict', true]);
    }

    // After a link from another site the person is still signed in, although the cookie is Strict.
    const other = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<a href="${scene.origin}/settings/tokens">Tokens</a>
<form method="post" action="${scene.origin}/settings/tokens"><button>Win</button></form>`);
    }).listen(0, 'localhost');
    await new Promise(resolve => other.once('listening', resolve));
    t.teardown(() => other.close());
    const otherSite = `http://localhost:${(other.address() as AddressInfo).port}/`;
    await page.goto(otherSite);
    await page.getByRole('link').click();
    await page.getByText('Signed in as anna').waitFor();

    // A form from another site is refused.
    await page.goto(otherSite);
    await page.getByRole('button').click();
    await page.getByText('Form refused').waitFor();
    t.deepEqual(await scene.tokens.list('anna'), []);

    // After signing out here, a person with a session at the issuer signs in again without a password.
    await page.goto(`${scene.origin}/settings/tokens`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByText('Signed in as anna').waitFor();
    t.false(scene.logged().includes('code='));
  },
);

inBrowser(
  'without scripts a token is created, shown and revoked; only copying is missing',
  async t => {
    const scene = await startScene(mongo);
    t.teardown(() => scene.stop());
    await projectSpaces(scene);
    const context = await browser.newContext({ javaScriptEnabled: false });
    t.teardown(() => context.close());
    const page = await context.newPage();
    await page.goto(await scene.signInLink('anna'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Create a token' }).click();
    await page.getByLabel('Name').fill('Sheet');
    await page.getByRole('button', { name: 'Create token' }).click();
    t.regex((await page.locator('#token-value').textContent()) ?? '', /^service_pat_/);
    t.is(await page.getByRole('button', { name: 'Copy the token' }).count(), 0);
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: /^Revoke/ }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The token is revoked').waitFor();
    const [token] = await scene.tokens.list('anna');
    t.true(token?.revokedAt instanceof Date);
  },
);

/** Presses Tab until an element with this text or label has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = `(() => {
    const { labels, textContent } = document.activeElement;
    return (labels && labels.length > 0 ? labels[0].textContent : textContent).trim();
  })()`;
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if (((await page.evaluate(focused)) as string).startsWith(name)) return;
  }
  throw new Error(`Expected to reach ${name} by Tab`);
}

inBrowser('a token is created and revoked by keyboard alone, and the focus is visible', async t => {
  const scene = await startScene(mongo);
  t.teardown(() => scene.stop());
  await projectSpaces(scene);
  const context = await browser.newContext();
  t.teardown(() => context.close());
  const page = await context.newPage();
  await page.goto(await scene.signInLink('anna'));
  // The link lies above the page: a page that moves while a button is pressed loses the click.
  const place = () => page.getByRole('button', { name: 'Sign in' }).boundingBox();
  const before = await place();
  await tabTo(page, 'Skip to the content');
  t.deepEqual(await place(), before);
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  t.deepEqual(
    { ...(await skip.boundingBox()), width: 0, height: 0 },
    { x: 0, y: 0, width: 0, height: 0 },
  );
  await tabTo(page, 'Sign in');
  const outline = 'getComputedStyle(document.activeElement).outlineStyle';
  t.is(await page.evaluate(outline), 'solid');
  await page.keyboard.press('Enter');
  await page.getByText('You have no tokens').waitFor();
  await tabTo(page, 'Create a token');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name').waitFor();
  await tabTo(page, 'Name');
  await page.keyboard.type('By keyboard');
  await tabTo(page, 'Read everything');
  t.is(await page.evaluate(outline), 'solid');
  await page.keyboard.press('ArrowDown');
  await tabTo(page, 'Payees');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Token created' }).waitFor();
  const [token] = await scene.tokens.list('anna');
  t.deepEqual(token?.scopes, ['payees:read']);
  await tabTo(page, 'Done');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'In use' }).waitFor();
  await tabTo(page, 'Revoke');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Revoke this token?' }).waitFor();
  await tabTo(page, 'Revoke');
  await page.keyboard.press('Enter');
  await page.getByText('The token is revoked').waitFor();

  // The error has the focus, so that a screen reader says it first.
  await page.goto(`${scene.origin}/settings/tokens/new`);
  await page.getByLabel('Name').fill(' ');
  await page.keyboard.press('Enter');
  await page.locator('[role=alert]:focus').waitFor();
  t.regex(await page.title(), /^Error: /);
});
