// The whole life of a token in a real browser, over two readers side by side, with API requests between the steps.
import test from 'ava';
import type { Browser } from 'playwright-core';
import { HAS_BROWSER, lookAt, startBrowser, watch } from '../../helpers/browser.ts';
import { type StartedMongo, startMongo } from '../../helpers/mongo.ts';
import { budget } from '../../model/scene.ts';
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
  await scene.model.project('b-long', budget('home', 'n'.repeat(200)));
});

test.after.always(async () => {
  await browser?.close();
  await scene?.stop();
  await mongo?.stop();
});

async function read(path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${scene.origin}/api/v1${path}`, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, never> };
}

inBrowser('section 5: a token is created in settings, shown once, used, and revoked', async t => {
  const context = await browser.newContext();
  t.teardown(() => context.close());
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: scene.origin });
  const { outside, complaints } = await watch(context, scene.origin);
  const page = await context.newPage();
  const problems: string[] = [];
  const inspect = async (name: string) => problems.push(...(await lookAt(page, name)));

  await page.goto(`${scene.origin}/docs`);
  await inspect('docs');

  // From the landing page to the sign-in.
  await page.goto(`${scene.origin}/`);
  await inspect('landing');
  await page.getByRole('main').getByRole('link', { name: 'API tokens' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await inspect('sign-in');

  // The link works once, but a preview does not use it up.
  const link = await scene.signInLink('anna');
  for (let times = 0; times < 3; times += 1) t.is((await fetch(link)).status, 200);
  await page.goto(link);
  await inspect('sign-in-link');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You have no tokens').waitFor();
  t.is(page.url(), `${scene.origin}/settings/tokens`);
  await inspect('no-tokens');

  // The form names a mistake and keeps all entered values.
  await page.getByRole('link', { name: 'Create a token' }).click();
  await inspect('create');
  await page.getByLabel('Name').fill('Sheet at <b>home</b>');
  const onlyTicked = page.getByRole('radio', { name: 'Only what is ticked' });
  await onlyTicked.nth(1).check();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('alert').waitFor();
  await inspect('create-refused');
  t.is(await page.getByLabel('Name').inputValue(), 'Sheet at <b>home</b>');

  // The token is narrowed to one budget of three.
  await page.getByRole('checkbox', { name: 'Food in Home b-food' }).check();
  await page.getByLabel('Valid for').selectOption('30');
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByRole('heading', { name: 'Token created' }).waitFor();
  await inspect('created');
  const token = (await page.locator('#token-value').textContent()) ?? '';
  t.regex(token, /^service_pat_[0-9A-Za-z]{36}$/);
  await page.getByRole('button', { name: 'Copy the token' }).click();
  await page.getByText('Copied').waitFor();
  t.is(await page.evaluate('navigator.clipboard.readText()'), token);
  const curl = (await page.locator('#curl-line').textContent()) ?? '';
  t.is(curl, `curl -H "Authorization: Bearer ${token}" "${scene.origin}/api/v1/budgets"`);

  // The token reads its own budget and no other.
  const budgets = await read('/budgets', token);
  t.is(budgets.status, 200);
  t.deepEqual(budgets.body.budgets && (budgets.body.budgets as { id: string }[]).map(b => b.id), [
    'b-food',
  ]);
  t.is((await read('/accounts?budget_id=b-food', token)).status, 200);
  t.is((await read('/accounts?budget_id=b-trips', token)).status, 403);

  // A reload neither shows the value again nor creates a token.
  await page.reload();
  await page.getByText('nothing was made this time').waitFor();
  t.false((await page.content()).includes(token));
  t.is((await scene.tokens.list('anna')).length, 1);
  const long = { owner: 'anna', name: 'W'.repeat(100), budgets: ['b-long', 'g'.repeat(128)] };
  await scene.tokens.issue(long, new Date());
  await page.goBack();
  t.false((await page.content()).includes(token), 'nor does going back');
  await page.goto(`${scene.origin}/settings/tokens`);
  const card = page.getByRole('listitem').filter({ hasText: token.slice(-4) });
  const text = (await card.textContent()) ?? '';
  for (const part of ['Sheet at <b>home</b>', 'Everything', 'Food in Home', 'Active']) {
    t.true(text.includes(part), `${part} in ${text}`);
  }
  t.notRegex(text, /Last used\s*Never/);
  t.is(await page.locator('b').count(), 0, 'a name is no markup');
  await inspect('tokens');

  // A confirmed revocation applies from the next request, on every reader.
  await card.getByRole('link', { name: /^Revoke/ }).click();
  await page.getByRole('heading', { name: 'Revoke this token?' }).waitFor();
  await inspect('revoke');
  t.is((await read('/budgets', token)).status, 200);
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('The token is revoked').waitFor();
  for (let times = 0; times < 4; times += 1) t.is((await read('/budgets', token)).status, 401);
  const history = await page
    .getByRole('table', { name: 'History' })
    .getByRole('row')
    .allInnerTexts();
  t.regex(history[1] ?? '', /Revoked\s+Sheet at <b>home<\/b>.*You, on this page/);
  t.true(history.some(row => /Last used\s+Sheet at/.test(row)));
  await inspect('revoked');

  // After signing out the pages are closed again.
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('You are signed out').waitFor();
  await page.goto(`${scene.origin}/settings/tokens`);
  t.is(page.url(), `${scene.origin}/settings/sign-in`);
  await page.goto(`${scene.origin}/settings/nothing`);
  await inspect('not-found');

  t.deepEqual(problems, []);
  t.deepEqual(outside, [], 'no outside host');
  t.deepEqual(
    complaints.filter(text => !/status of (404|422)/.test(text)),
    [],
    'no complaint of the browser, in particular about the policy',
  );
  t.false(scene.logged().includes(token));
  t.false(scene.logged().includes(link.split('=')[1] ?? ''));
});
