// The jars of a Kafka broker: pinned by SHA-256, fetched once from a Maven repository into the user's cache.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/process/cache-folder.ts';
import { UserError } from '../../src/process/errors.ts';
import lock from './jars.json' with { type: 'json' };

/** A jar by its path in a Maven repository: group/…/artifact/version/artifact-version.jar. */
type Jar = (typeof lock.jars)[number];
type Report = (line: string) => void;

const DOWNLOAD_TIMEOUT_MS = 60_000;
const MAVEN_TIMEOUT_MS = 300_000;

/**
 * Returns the folder that holds the broker's jars, for a class path of `folder/*`.
 *
 * They come from the Maven repository at MAVEN_MIRROR_URL, otherwise from `mvn` with its own settings.
 *
 * @throws UserError if they cannot be fetched
 */
export async function fetchJars(env: NodeJS.ProcessEnv, report: Report): Promise<string> {
  const id = createHash('sha256').update(JSON.stringify(lock.jars)).digest('hex').slice(0, 8);
  const folder = join(cacheFolder(env), `kafka-${lock.version}-${id}`);
  const cached = await readdir(folder).catch(() => []);
  if (cached.length === lock.jars.length) return folder;
  report(`Fetching Kafka ${lock.version} once (${lock.jars.length} jars, 43 MB)`);
  await mkdir(dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}.`);
  try {
    await fill(fresh, env);
    await rename(fresh, folder).catch(error => throwUnlessFilled(error, folder));
    return folder;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

// Another process may have filled the folder first.
async function throwUnlessFilled(error: NodeJS.ErrnoException, folder: string): Promise<void> {
  const present = await readdir(folder).catch(() => []);
  if (present.length !== lock.jars.length) throw error;
}

async function fill(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const mirror = env.MAVEN_MIRROR_URL;
  try {
    if (mirror) await Promise.all(lock.jars.map(jar => download(mirror, jar, folder)));
    else await copyByMaven(folder, env);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' && !mirror ? 'mvn is not installed' : firstLine(message);
    throw new UserError(
      `Kafka could not be fetched (${reason}): name a Maven repository in MAVEN_MIRROR_URL, or install mvn`,
      { cause: error },
    );
  }
}

async function download(mirror: string, jar: Jar, folder: string): Promise<void> {
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const answer = await fetch(`${mirror.replace(/\/+$/, '')}/${jar.path}`, { signal });
  if (!answer.ok) throw new Error(`status ${answer.status} for ${jar.path}`);
  await keep(jar, Buffer.from(await answer.arrayBuffer()), folder);
}

/** Maven copies exactly the locked artifacts: each is listed, and its dependencies are excluded. */
async function copyByMaven(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const workFolder = await mkdtemp(join(tmpdir(), 'budgeting-maven-'));
  try {
    const project = join(workFolder, 'pom.xml');
    await writeFile(project, projectOf(lock.jars));
    const options = ['-DoutputDirectory=jars', '-Dmdep.useRepositoryLayout=true'];
    const goal = ['dependency:copy-dependencies', ...options];
    await promisify(execFile)('mvn', ['-B', '-q', '-ntp', '-f', project, ...goal], {
      cwd: workFolder,
      env,
      timeout: MAVEN_TIMEOUT_MS,
    });
    for (const jar of lock.jars)
      await keep(jar, await readFile(join(workFolder, 'jars', jar.path)), folder);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function keep(jar: Jar, bytes: Buffer, folder: string): Promise<void> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 !== jar.sha256) {
    throw new Error(`${jar.path} has SHA-256 ${sha256}, expected ${jar.sha256}`);
  }
  await writeFile(join(folder, basename(jar.path)), bytes);
}

function projectOf(jars: readonly Jar[]): string {
  const dependencies = jars.map(({ path }) => {
    const [version, artifact, ...group] = dirname(path).split('/').reverse();
    const names = { groupId: group.reverse().join('.'), artifactId: artifact, version };
    const tags = Object.entries(names).map(([tag, text]) => `<${tag}>${text}</${tag}>`);
    const nothingElse =
      '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>';
    return `<dependency>${tags.join('')}${nothingElse}</dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>budgeting</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>`;
}

// Leaves out URLs, which may contain credentials.
function firstLine(message: string): string {
  const lines = message.split('\n').filter(line => line.trim() !== '');
  const line = lines.find(text => text.includes('[ERROR]')) ?? lines[0] ?? '';
  return line.replace(/^\[ERROR\]\s*/, '').replaceAll(/\w+:\/\/\S+/g, '…');
}
