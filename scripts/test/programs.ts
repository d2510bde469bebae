// The programs that the commands of README, docs and the page /docs use: those of this machine, or with CI=true installed from packages.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UserError } from '../../src/process/errors.ts';
import { installOneOf } from './apt.ts';
import type { Resource } from './resource.ts';

/** A command that only works where the program is there, by the name of its package. */
const CHECKS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  curl: ['curl', '--version'],
  jq: ['jq', '--version'],
  'python3-pip': ['python3', '-c', 'import pip, sys; sys.exit(sys.version_info < (3, 11))'],
};

export async function programs(): Promise<Resource> {
  const isCi = process.env.CI === 'true';
  for (const name of await missingPrograms()) {
    const isInstalled = isCi && (await installOneOf([name]));
    if (isInstalled) continue;
    const missing = `Expected curl, jq and Python 3.11 with pip, got no ${name}`;
    // In CI a missing program must fail the run instead of skipping tests.
    if (isCi) throw new UserError(missing);
    process.stderr.write(
      `${missing}. Tests that run the commands of README and docs are SKIPPED.\n`,
    );
  }
  return { env: {}, stop: async () => {} };
}

/** Returns the packages of the programs that this machine lacks. */
export async function missingPrograms(): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, [command, ...args]] of Object.entries(CHECKS)) {
    await promisify(execFile)(command, args).catch(() => missing.push(name));
  }
  return missing;
}
