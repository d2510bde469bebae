// Peers in Java: their libraries, which Maven fetches once into a folder of the user's cache, and their processes.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from '../cached-folder.ts';
import { findJava } from '../kafka/find-java.ts';
import { type Running, run } from './processes.ts';

const MAVEN_TIMEOUT_MS = 300_000;
const JVM = ['-Xms128m', '-Xmx512m'];

export interface Jars {
  /** Of the folder; it changes with every version in it. */
  readonly name: string;
  readonly what: string;
  /** Each as group:artifact:version. */
  readonly artifacts: readonly string[];
}

/** Returns the folder, which `mvn` fills, or null if it cannot. */
export async function fetchFromMaven(
  { name, what, artifacts }: Jars,
  report: (line: string) => void,
): Promise<string | null> {
  try {
    return await cachedFolder(process.env, name, async folder => {
      report(`Fetching ${what} once`);
      await copyByMaven(folder, artifacts);
    });
  } catch (error) {
    const { code } = error as { code?: unknown };
    report(`${what} could not be fetched by mvn, and is left out (${code})`);
    return null;
  }
}

async function copyByMaven(folder: string, artifacts: readonly string[]): Promise<void> {
  const project = join(folder, 'pom.xml');
  await writeFile(project, projectText(artifacts));
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime'];
  const args = ['-B', '-q', '-ntp', '-f', project, ...goal, `-DoutputDirectory=${folder}`];
  await promisify(execFile)('mvn', args, { timeout: MAVEN_TIMEOUT_MS });
}

function projectText(artifacts: readonly string[]): string {
  const dependencies = artifacts.map(artifact => {
    const [group, name, version] = artifact.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>budgeting</groupId><artifactId>peer</artifactId><version>1</version><packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>`;
}

/** Runs a program with these libraries and a folder of its own, which goes when it stops. */
export async function runJava(
  jars: string,
  argumentsIn: (folder: string) => Promise<readonly string[]>,
): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-peer-'));
  const java = findJava(process.env) ?? 'java';
  const running = run(java, [...JVM, '-cp', join(jars, '*'), ...(await argumentsIn(folder))], {});
  const stop = async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...running, stop };
}
