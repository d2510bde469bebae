// Every shell block of README and docs is run by a test, or says why not.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { pagesWithBlocks, runBlock, shellBlocks } from './shell-blocks.ts';

const pages = pagesWithBlocks();
const blocks = pages.flatMap(shellBlocks);

test('blocks of commands are marked as sh, so that the tests find them', async t => {
  for (const page of pages) {
    const text = await readFile(page, 'utf8');
    t.notRegex(text, /^ *```(?:bash|shell|console|zsh)/m, page);
    t.is(
      [...text.matchAll(/^ *```sh$/gm)].length,
      blocks.filter(block => block.page === page).length,
      page,
    );
  }
  t.true(blocks.length > 25);
});

test('a comment before a block gives a reason, or a test that runs it', async t => {
  for (const { page, line, comment } of blocks) {
    if (comment === null) continue;
    const [, reason, path] =
      /^(?:not run: (.{10,})|run by (test\/docs\/[\w.-]+\.ts)(?:[;,] .+)?)$/.exec(comment) ?? [];
    t.true(reason !== undefined || path !== undefined, `${page}:${line}`);
    if (path !== undefined) t.regex(await readFile(path, 'utf8'), /shellBlocks/, path);
    for (const [named] of (reason ?? '').matchAll(/test\/[\w./-]+\.ts/g)) {
      await t.notThrowsAsync(readFile(named), `${page}:${line}`);
    }
  }
});

test('a block that runs npx for the first time builds nothing', async t => {
  const [folder, home] = [await temporaryFolder(t), await temporaryFolder(t)];
  const scripts = { prepare: 'touch built' };
  const manifest = { name: 'checkout', version: '1.0.0', bin: { checkout: 'cli.js' }, scripts };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const program = "#!/usr/bin/env node\nconsole.log('it runs');\n";
  await writeFile(join(folder, 'cli.js'), program, { mode: 0o700 });
  const { code, out } = await runBlock('npx checkout', folder, { ...process.env, HOME: home });
  t.deepEqual([code, out], [0, 'it runs\n']);
  t.deepEqual((await readdir(folder)).sort(), ['cli.js', 'package.json']);
});
