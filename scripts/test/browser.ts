// The browser of a test run: the machine's own Chromium, or with CI=true one that is installed from packages.
import { UserError } from '../../src/process/errors.ts';
import { installOneOf } from './apt.ts';
import { findChromium } from './find-chromium.ts';
import type { Resource } from './resource.ts';

const PACKAGES = ['chromium-headless-shell', 'chromium'];
const MISSING =
  'No Chromium was found: install chromium-headless-shell or chromium, or name one in CHROMIUM_PATH';

export async function browser(): Promise<Resource> {
  const isCi = process.env.CI === 'true';
  const path = (await findChromium(process.env)) ?? (isCi ? await install() : null);
  // In CI a missing browser must fail the run instead of skipping tests.
  if (path === null && isCi) throw new UserError(MISSING);
  if (path === null) process.stderr.write(`${MISSING}. Tests in a browser are SKIPPED.\n`);
  return { env: path === null ? {} : { CHROMIUM_PATH: path }, stop: async () => {} };
}

/** Installs a Chromium by apt-get; returns null without root or if no package can be installed. */
async function install(): Promise<string | null> {
  return (await installOneOf(PACKAGES)) ? await findChromium(process.env) : null;
}
