// `import ynab`: makes or updates a budget from an export of YNAB.
import { basename, extname } from 'node:path';
import type { NamedFile } from '../import/read-files.ts';
import {
  COMMON,
  commonRequest,
  IMPORT,
  type ImportContext,
  type ParsedExport,
  WHERE,
} from './appending/import-request.ts';
import { command } from './syntax/command.ts';
import { usageError } from './syntax/parse-command.ts';

const REGISTER = { pattern: /(?:^|\s|-)Register\.(?:csv|tsv)$/i, words: 'named … Register.csv' };
const PLAN = {
  pattern: /(?:^|\s|-)(?:Plan|Budget)\.(?:csv|tsv)$/i,
  words: 'named … Plan.csv or … Budget.csv',
};

export const importYnabCommand = command({
  name: 'import ynab',
  usage: `FILE ${WHERE} [--currency C] [--name T] [--type ACCOUNT=TYPE]… [--off-budget ACCOUNT]… [--date-format DMY|MDY] [--accept-differences] [--dry-run]`,
  summary: 'makes or updates a budget from an export of YNAB',
  ...IMPORT,
  operands: { FILE: 'The zip archive of YNAB, a folder with its files, or a .json of its API' },
  options: {
    ...COMMON,
    'off-budget': {
      value: 'ACCOUNT',
      about: 'This account is off budget, and those without the option are on budget',
      repeats: true,
    },
    'date-format': {
      value: 'DMY|MDY',
      about: 'Order of day and month; needed if no date of the file decides it',
      choices: ['DMY', 'MDY'],
    },
    'accept-differences': {
      about:
        'Imports a file whose own sums are not what its rows add up to; by default it is refused',
    },
  },
  examples: [
    'import ynab "Home as of 2026-03-31.zip" --user anna --currency EUR',
    'import ynab "Home as of 2026-03-31.zip" --user anna --currency EUR --type Bank=savings --dry-run',
  ],
  async run(invocation, context: ImportContext) {
    const { importBudget } = await import('./appending/import-budget.ts');
    const { 'date-format': order, 'off-budget': offBudget = null } = invocation.values;
    const common = commonRequest(invocation);
    const unused = offBudget ? 'off-budget' : order && 'date-format';
    if (unused && isJson(common.path)) {
      const message = `Expected --${unused} with a zip archive or a folder, got it with a .json file, which says so itself`;
      throw usageError(common.usage, message);
    }
    const read = () => readExport(common.path, order, offBudget);
    const acceptsDifferences = invocation.values['accept-differences'] === true;
    await importBudget({ kind: 'ynab', ...common, acceptsDifferences, read }, context);
  },
});

async function readExport(
  path: string,
  order: 'DMY' | 'MDY' | undefined,
  offBudget: readonly string[] | null,
): Promise<ParsedExport> {
  const { readFiles, readOneFile } = await import('../import/read-files.ts');
  const fileName = basename(path, extname(path));
  if (isJson(path)) {
    const { planYnabJson } = await import('../import/ynab/plan-ynab-json.ts');
    const { parseYnabJson } = await import('../import/ynab/ynab-json.ts');
    const file = await readOneFile(path);
    const plan = planYnabJson(parseYnabJson(file));
    return { plan, fileName, identity: [file.bytes], hasIds: true };
  }
  const { planYnab } = await import('../import/ynab/plan-ynab.ts');
  const { readYnab } = await import('../import/ynab/read-ynab.ts');
  const [register, budgetPlan] = await readFiles(path, [REGISTER, PLAN]);
  const tables = readYnab(register, budgetPlan, order ?? null);
  const plan = planYnab(tables, ynabName(register), offBudget);
  // The identity holds the effect of the options, not their text: an option that changes nothing must not make
  // another budget of the same file.
  const off = plan.accounts.filter(account => !account.onBudget).map(account => account.name);
  const understood = JSON.stringify([tables.dateOrder, off]);
  const identity = [register.bytes, budgetPlan.bytes, understood];
  return { plan, fileName, identity, hasIds: false };
}

function isJson(path: string): boolean {
  return extname(path).toLowerCase() === '.json';
}

/** Returns `Home` for a file named `Home as of 2026-03-14 10-22 - Register.csv`. */
function ynabName({ name }: NamedFile): string | null {
  return /^(.+?)(?: as of .*?)? - Register\.[a-z]+$/i.exec(name)?.[1] ?? null;
}
