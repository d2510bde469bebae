// Scripts of the settings pages in a real browser: ticks, copied ids, and signing out everywhere; also without scripts.
import test from 'ava';
import type { Browser } from 'playwright-core';
import { HAS_BROWSER, lookAt, startBrowser, watch } from '../../helpers/browser.ts';
import { type StartedMongo, startMongo } from '../../helpers/mongo.ts';
import { projectSpaces, type Scene, startScene } from './settings-scene.ts';

const inBrowser = HAS_BROWSER ? test : test.skip;

let mongo: StartedMongo;
let browser: Browser;
let scene: Scene;

test.before(async () => {
  if (!HAS_BROWSER) return;
  mongo = await startMongo();
  browser = await startBrowser();
  scene = await startScene(mongo, { readers: 2 });
  await projectSpaces(scene);
});

test.after.always(async () => {
  await browser?.close();
  await scene?.stop();
  await mongo?.stop();
});

async function signedIn({ user = 'anna', scripts = true } = {}) {
  const context = await browser.newContext({ javaScriptEnabled: scripts });
  const watched = await watch(context, scene.origin);
  const page = await context.newPage();
  await page.goto(await scene.signInLink(user));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'API tokens' }).waitFor();
  return { context, page, ...watched };
}

inBrowser(
  'a tick chooses “Only what is ticked” of its own list, by mouse and by keyboard',
  async t => {
    const { context, page, complaints } = await signedIn();
    t.teardown(() => context.close());
    await page.goto(`${scene.origin}/settings/tokens/new`);
    const picked = page.getByRole('radio', { name: 'Only what is ticked' });
    const chosen = async () => [await picked.nth(0).isChecked(), await picked.nth(1).isChecked()];
    t.deepEqual(await chosen(), [false, false]);
    await page.getByRole('checkbox', { name: 'Trips in Home b-trips' }).check();
    t.deepEqual(await chosen(), [false, true]);
    await page.getByRole('checkbox', { name: 'Payees' }).focus();
    await page.keyboard.press('Space');
    t.deepEqual(await chosen(), [true, true]);
    await page.getByRole('radio', { name: 'All my budgets' }).check();
    await page.getByRole('checkbox', { name: 'Trips in Home b-trips' }).uncheck();
    t.deepEqual(await chosen(), [true, false], 'taking a tick away chooses nothing');
    await page.getByLabel('Name').fill('Payees alone');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('heading', { name: 'Token created' }).waitFor();
    const made = (await scene.tokens.list('anna')).find(({ name }) => name === 'Payees alone');
    t.deepEqual([made?.scopes, made?.budgets], [['payees:read'], null]);
    t.deepEqual(complaints, [], 'the policy allows the script');
  },
);

inBrowser('the id of a budget is copied by its button', async t => {
  const { context, page } = await signedIn();
  t.teardown(() => context.close());
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: scene.origin });
  await page.getByRole('button', { name: 'Copy b-trips' }).click();
  await page.getByText('Copied').waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), 'b-trips');
});

inBrowser('without scripts the form works, and names a contradiction', async t => {
  const { context, page } = await signedIn({ scripts: false });
  t.teardown(() => context.close());
  t.is(await page.getByRole('button', { name: 'Copy' }).count(), 0, 'no button without its script');
  await page.goto(`${scene.origin}/settings/tokens/new`);
  await page.getByLabel('Name').fill('Without scripts');
  await page.getByRole('checkbox', { name: 'Trips in Home b-trips' }).check();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('link', { name: 'Choose “Only what is ticked”' }).waitFor();
  await page.getByRole('radio', { name: 'Only what is ticked' }).nth(1).check();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('heading', { name: 'Token created' }).waitFor();
  const made = (await scene.tokens.list('anna')).find(({ name }) => name === 'Without scripts');
  t.deepEqual(made?.budgets, ['b-trips']);
});

inBrowser(
  'signing out everywhere closes the pages of the other browser at its next click',
  async t => {
    const [one, other] = [await signedIn({ user: 'bert' }), await signedIn({ user: 'bert' })];
    t.teardown(() => one.context.close());
    t.teardown(() => other.context.close());
    await one.page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await one.page.getByText('signed out in every browser').waitFor();
    t.deepEqual(await lookAt(one.page, 'signed-out-everywhere'), []);
    await other.page.getByRole('link', { name: 'Create a token' }).click();
    await other.page.getByText('Your session has ended').waitFor();
  },
);
