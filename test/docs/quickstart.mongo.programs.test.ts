// The quickstart of docs/events.md as it is printed: from an empty system to an answer, what is refused and what parks.
import { join } from 'node:path';
import test from 'ava';
import { missingPrograms } from '../../scripts/test/programs.ts';
import { npmStart } from '../commands/started.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { runBlock, shellBlocks } from './shell-blocks.ts';

const ADDRESS = 'http://127.0.0.1:3000';
const canRun = process.env.CI === 'true' || !(await missingPrograms()).includes('curl');
const curlTest = canRun ? test : test.skip;

curlTest('each block prints what the page shows', async t => {
  const comment = 'run by test/docs/quickstart.mongo.programs.test.ts';
  const all = shellBlocks('docs/events.md');
  const [start, ...blocks] = all.filter(block => block.comment?.startsWith(comment));
  t.is(start?.code, 'npm start -- --empty\n');
  t.is(blocks.length, 4);

  const dataDir = join(await temporaryFolder(t), 'data');
  const own = { DATA_DIR: dataDir, PORT: '0', MANAGEMENT_PORT: '0', LOG_LEVEL: '' };
  const started = npmStart(['--empty'], own);
  t.teardown(async () => {
    started.child.kill('SIGTERM');
    await started.ended;
  });
  const out = await started.printed(/goes on where it stopped/);
  const origin = /Read API\s+(\S+)\/api\/v1/.exec(out)?.[1] ?? '';

  const env = { ...process.env, ...own };
  for (const { code, comment: said, output } of blocks) {
    const ran = await runBlock(code.replaceAll(ADDRESS, origin), process.cwd(), env);
    const fails = said?.endsWith('; fails') === true;
    t.is(ran.code === 0, !fails, `${code}${ran.err}`);
    t.is((fails ? ran.err : ran.out).trimEnd(), (output ?? '').trimEnd(), code);
  }
});
