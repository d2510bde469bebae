// Installs Actual Budget's own engine (`@actual-app/api`) once, into the user's cache; its versions are pinned in package/.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/process/cache-folder.ts';
import { UserError } from '../../src/process/errors.ts';
import { acquireLock, type Lock } from '../../src/process/process-lock.ts';
import { cachedFolder, exists } from '../cached-folder.ts';

type Report = (line: string) => void;

/** The sources: tsc does not copy them to dist. */
const PACKAGE = join(import.meta.dirname, '..', '..', '..', 'scripts', 'actual', 'package');
const FILES = ['package.json', 'package-lock.json'];
/** Its native part is compiled where no ready-made one can be downloaded. */
const INSTALL_MS_MAX = 900_000;
const PROBE_MS_MAX = 60_000;
const POLL_MS = 1000;
const RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000'];
const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Returns the folder whose `node_modules` contain the engine. Processes that want it at the same time wait for the one
 * that installs it.
 *
 * @throws UserError if it cannot be installed
 */
export async function installActual(env: NodeJS.ProcessEnv, report: Report): Promise<string> {
  const name = await folderName();
  const folder = join(cacheFolder(env), name);
  if (await exists(folder)) return folder;
  const lock = await lockOf(`${folder}.lock`, report);
  try {
    return await cachedFolder(env, name, async fresh => {
      report("Installing Actual's own engine once (69 packages, 220 MB; may take some minutes)");
      await install(fresh, env);
      report("Installed Actual's own engine");
    });
  } catch (error) {
    throw new UserError(`Actual's own engine could not be installed (${reasonOf(error)})`, {
      cause: error,
    });
  } finally {
    await lock.release();
  }
}

/** The native part fits one version of Node's interface on one kind of machine, so both are part of the name. */
async function folderName(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of FILES) hash.update(await readFile(join(PACKAGE, name)));
  const { platform, arch, versions } = process;
  const id = hash.update(`${platform} ${arch} ${versions.modules}`).digest('hex').slice(0, 8);
  return `actual-engine-${id}`;
}

async function lockOf(path: string, report: Report): Promise<Lock> {
  for (let isFirst = true; ; isFirst = false) {
    const attempt = await acquireLock(path);
    if (attempt.acquired) return attempt;
    if (isFirst) report(`Waiting for process ${attempt.holderPid} to install Actual's own engine`);
    await sleep(POLL_MS);
  }
}

async function install(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  for (const name of FILES) await copyFile(join(PACKAGE, name), join(folder, name));
  const options = { cwd: folder, env: await withHeaders(env) };
  const ci = ['ci', '--ignore-scripts=false', ...QUIET, ...RETRIES];
  await promisify(execFile)('npm', ci, { ...options, timeout: INSTALL_MS_MAX });
  // Only a loaded library shows that the native part works.
  const load = ['-e', "require('@actual-app/api')"];
  await promisify(execFile)(process.execPath, load, { ...options, timeout: PROBE_MS_MAX });
}

/** Names the headers that belong to this Node, so that compiling need not download them. */
async function withHeaders(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const root = dirname(dirname(process.execPath));
  if (env.npm_config_nodedir || !(await exists(join(root, 'include', 'node', 'node.h')))) {
    return env;
  }
  return { ...env, npm_config_nodedir: root };
}

/** Returns the line that says why, without addresses, which may contain credentials. */
function reasonOf(error: unknown): string {
  const { message, stderr = '', killed } = error as Error & { stderr?: string; killed?: boolean };
  if (killed) return 'it took too long';
  const lines = stderr.split('\n').map(line => line.replace(/^npm (?:error|ERR!) ?/, ''));
  const isReason = (line: string) =>
    /^(?!code |syscall |errno |path |command |A complete log).*\S/.test(line);
  const line = lines.find(isReason) ?? message.split('\n')[0] ?? '';
  return line.replaceAll(/\w+:\/\/\S+/g, '…').trim();
}
