// Compiled code is kept where this Node can, in a folder of the user's own.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import module from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keepCompiledCode } from '../../src/process/cache-folder.ts';
import { test } from '../helpers/file-test.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli.js');

function folderFor(env: NodeJS.ProcessEnv): string | undefined {
  const folders: string[] = [];
  keepCompiledCode(env, { enableCompileCache: folder => folders.push(folder) });
  return folders[0];
}

test('compiled code is kept in the cache of the user, unless the environment names a folder', t => {
  t.is(folderFor({ HOME: '/home/anna' }), '/home/anna/.cache/budgeting/compiled');
  t.is(folderFor({ HOME: '/home/anna', XDG_CACHE_HOME: '/cache' }), '/cache/budgeting/compiled');
  t.is(folderFor({ HOME: '/home/anna', NODE_COMPILE_CACHE: '/kept' }), '/kept');
});

test('a Node that keeps none starts as before', t => {
  t.notThrows(() => keepCompiledCode({ HOME: '/home/anna' }, {}));
});

test('the command line keeps its code, and starts where the folder cannot be made', async t => {
  const folder = await temporaryFolder(t);
  const version = async (cache: string) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: '', XDG_CACHE_HOME: cache };
    return (await promisify(execFile)(process.execPath, [CLI, '--version'], { env })).stdout;
  };
  t.regex(await version(folder), /^budgeting \d/);
  const kept = await readdir(join(folder, 'budgeting', 'compiled')).catch(() => []);
  t.is(kept.length > 0, 'enableCompileCache' in module);
  t.regex(await version('/dev/null'), /^budgeting \d/);
});
