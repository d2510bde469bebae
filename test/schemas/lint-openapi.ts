// Linters of OpenAPI documents, each with its strictest rules.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installPinned } from '../../scripts/pinned-packages.ts';

const LINT_MS_MAX = 300_000;
const OUTPUT_BYTES_MAX = 2 ** 26;
const PROBLEMS_MAX = 10_000;

export interface Finding {
  readonly rule: string;
  /** Where it is in the document, as a JSON pointer. */
  readonly at: string;
  readonly message: string;
}

/** Returns all findings of a document; `folder` is for its settings. */
export type Linter = (document: string, folder: string) => Promise<Finding[]>;

interface RedoclyReport {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer: string }[];
  }[];
}

interface SpectralProblem {
  readonly code: string;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Returns the linters by their names; installs them once. */
export async function installLinters(): Promise<Readonly<Record<'redocly' | 'spectral', Linter>>> {
  const folder = await installPinned(process.env, 'linters', 'The linters of openapi.json');
  const packages = join(folder, 'node_modules');
  return {
    async redocly(document, own) {
      const config = join(own, 'redocly.yaml');
      await writeFile(config, JSON.stringify({ extends: ['recommended-strict'] }));
      const options = ['--format=json', `--max-problems=${PROBLEMS_MAX}`, `--config=${config}`];
      const cli = join(packages, '@redocly/cli/bin/cli.js');
      const report = JSON.parse(await run([cli, 'lint', document, ...options], own));
      return (report as RedoclyReport).problems.map(({ ruleId, message, location }) => ({
        rule: ruleId,
        at: location[0]?.pointer ?? '',
        message,
      }));
    },
    async spectral(document, own) {
      const ruleset = join(own, 'spectral.json');
      const owasp = join(packages, '@stoplight/spectral-owasp-ruleset/dist/ruleset.js');
      const all = (rules: string) => [rules, 'all'];
      await writeFile(ruleset, JSON.stringify({ extends: [all('spectral:oas'), all(owasp)] }));
      const options = ['--format=json', '--quiet', `--ruleset=${ruleset}`];
      const cli = join(packages, '@stoplight/spectral-cli/dist/index.js');
      const problems = JSON.parse(await run([cli, 'lint', document, ...options], own));
      return (problems as SpectralProblem[]).map(({ code, message, path }) => ({
        rule: code,
        at: `#/${path.map(step => String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
        message,
      }));
    },
  };
}

/** Returns what a linter prints, which ends with a code of its own where it finds something. */
function run(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const limits = { timeout: LINT_MS_MAX, maxBuffer: OUTPUT_BYTES_MAX };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd, env, ...limits }, (error, out, err) => {
      if (out.trim() === '')
        reject(new Error(`Expected a report, got none: ${err}`, { cause: error }));
      else resolve(out);
    });
  });
}
