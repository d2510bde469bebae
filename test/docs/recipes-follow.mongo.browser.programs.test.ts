// The recipes of docs/recipes.md that follow a stream, run as they are printed against `npm start`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import type { Browser } from 'playwright-core';
import { HAS_BROWSER, startBrowser, violationsOf } from '../helpers/browser.ts';
import { codeOf, recipeOf } from './recipe-page.ts';
import { purchase, startPhone } from './recipe-questions.ts';
import { useScene } from './use-scene.ts';

const { programTest: recipeTest, scene } = await useScene(test);
const browserTest = HAS_BROWSER ? recipeTest : test.serial.skip;
let browser: Browser | undefined;

test.after.always(async () => {
  await browser?.close();
});

for (const name of ['follow.py', 'follow.mjs']) {
  recipeTest(`${name} reads everything, then what is new, and survives a cut stream`, async t => {
    const follower = await scene().follow(t, recipeOf('Follow what changes'));
    const printed = await follower.start(name);
    await printed(/household [1-9]\d* transactions, 0 deletions\n(?:.*\n)*household \d/);
    await purchase(scene(), `told-${name}`, '-1.00');
    const out = await printed(/household 1 transactions, 0 deletions/);
    t.false(out.includes('Again'), out);
    scene().cutStreams();
    await printed(/Again in 5 seconds/);
    await purchase(scene(), `again-${name}`, '-2.00');
    const before = await printed(/(household 1 transactions, 0 deletions\n[\s\S]*){2}/);
    // What did not move is not read again.
    t.false(before.includes('household 0'), before);

    // A reader that is asked too often says how long to wait.
    const path = '/changes';
    const headers = { 'retry-after': '1' };
    scene().refusals.push({ path, status: 429, code: 'rate_limited', headers });
    scene().refusals.push({ path, status: 400, code: 'invalid_parameter' });
    await purchase(scene(), `refused-${name}`, '-5.00');
    await printed(/Again in 1 seconds/);
    // The cursor is refused next: everything is read once more.
    await printed(/Again in 1 seconds[\s\S]*household [1-9]\d+ transactions, 0 deletions/);

    // A page that is cut off is read again.
    scene().refusals.push({ path, status: 200, code: 'internal_error', isCut: true });
    await purchase(scene(), `cut-${name}`, '-6.00');
    await printed(/Again in 1 seconds[\s\S]*Again in 5 seconds[\s\S]*household \d+ transactions/);
  });
}

recipeTest('Home Assistant is called when the budget moves, and not before', async t => {
  const follower = await scene().follow(t, recipeOf('Home Assistant, told'));
  const phone = await startPhone(t);
  await follower.start('told.py', {
    HOME_URL: phone.address.replace(/\/$/, ''),
    HOME_TOKEN: 'long',
  });
  const calls = async (count: number) => {
    while (phone.messages.length < count) await new Promise(resolve => setTimeout(resolve, 50));
  };
  await calls(1);
  await purchase(scene(), 'told-home', '-3.00');
  await calls(2);
  t.deepEqual([...new Set(phone.messages)], ['{"entity_id": "sensor.left_in_groceries"}']);
});

browserTest('the page shows balances, and draws them again when told', async t => {
  const recipe = recipeOf('A page that redraws when told');
  const { token } = await scene().follow(t, recipe);
  const site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(codeOf(recipe, 'html'));
  });
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => site.close());
  browser ??= await startBrowser();
  const context = await browser.newContext();
  t.teardown(() => context.close());
  const page = await context.newPage();
  page.on('dialog', dialog => dialog.accept(token));
  const { port } = site.address() as AddressInfo;
  const api = encodeURIComponent(`${scene().service}/api/v1`);
  await page.goto(`http://127.0.0.1:${port}/?api=${api}`);
  const joint = page.locator('li').filter({ hasText: /^Joint/ });
  const before = await joint.textContent();
  t.deepEqual(await violationsOf(page), []);
  await purchase(scene(), 'told-page', '-4.00');
  await joint.filter({ hasNotText: before ?? '' }).waitFor();
  const amount = (text: string | null) =>
    Math.round(Number(/-?[\d.]+$/.exec(text ?? '')?.[0]) * 100);
  t.is(amount(await joint.textContent()), amount(before) - 400);
});
