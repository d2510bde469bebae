// The arguments of `import`, and the files that they name.
import { basename, extname } from 'node:path';
import { planActual } from '../import/actual/plan-actual.ts';
import type { BudgetPlan } from '../import/plan.ts';
import { type NamedFile, readFiles, readOneFile } from '../import/read-files.ts';
import { planYnab } from '../import/ynab/plan-ynab.ts';
import { planYnabJson } from '../import/ynab/plan-ynab-json.ts';
import { readYnab } from '../import/ynab/read-ynab.ts';
import { parseYnabJson } from '../import/ynab/ynab-json.ts';
import { parseArguments, singleValue, usageError } from './parse-arguments.ts';
import { IMPORT_USAGE } from './usages.ts';

const ONE = { type: 'string', multiple: true } as const;
const FLAG = { type: 'boolean' } as const;
const OPTIONS = {
  user: ONE,
  space: ONE,
  into: ONE,
  currency: ONE,
  name: ONE,
  type: ONE,
  'dry-run': FLAG,
  'accept-differences': FLAG,
};
const YNAB_OPTIONS = { ...OPTIONS, 'date-format': ONE, 'off-budget': ONE };

const REGISTER = { pattern: /(?:^|\s|-)Register\.(?:csv|tsv)$/i, words: 'named … Register.csv' };
const PLAN = {
  pattern: /(?:^|\s|-)(?:Plan|Budget)\.(?:csv|tsv)$/i,
  words: 'named … Plan.csv or … Budget.csv',
};
const DATABASE = { pattern: /^db\.sqlite$/, words: 'named db.sqlite' };
const METADATA = { pattern: /^metadata\.json$/, words: 'named metadata.json' };

export interface ImportRequest {
  readonly kind: 'ynab' | 'actual';
  readonly path: string;
  readonly user: string | null;
  /** Name or id of a space. */
  readonly space: string | null;
  /** Id of the budget to bring up to date; null makes a new one. */
  readonly into: string | null;
  readonly currency: string | null;
  readonly name: string | null;
  /** Types by the name of the account. */
  readonly types: ReadonlyMap<string, string>;
  readonly isDryRun: boolean;
  readonly acceptsDifferences: boolean;
  /** @throws UserError that lists every problem with its place in the file */
  readonly read: () => Promise<ParsedExport>;
}

export interface ParsedExport {
  readonly plan: BudgetPlan;
  /** The budget's name, where the file has none. */
  readonly fileName: string;
  /** Derives the budget's id: importing the same file with the same options again is refused. */
  readonly identity: readonly (string | Buffer)[];
  /** The file names its things by ids that later exports repeat. */
  readonly hasIds: boolean;
}

/** @throws UserError that shows the usage */
export function parseImport([kind, ...args]: string[]): ImportRequest {
  if (kind === 'ynab') return parseYnab(args);
  if (kind === 'actual') return parseActual(args);
  throw usageError(`Expected import ynab or actual, got ${kind ?? 'nothing'}`, IMPORT_USAGE);
}

function parseYnab(args: string[]): ImportRequest {
  const syntax = { args, options: YNAB_OPTIONS, allowPositionals: true } as const;
  const { values, positionals } = parseArguments(syntax, IMPORT_USAGE);
  const order = singleValue(values['date-format'], '--date-format', IMPORT_USAGE) ?? null;
  if (order !== null && order !== 'DMY' && order !== 'MDY') {
    throw usageError(`Expected --date-format DMY or MDY, got ${order}`, IMPORT_USAGE);
  }
  const offBudget = values['off-budget'] ?? null;
  const common = commonOf(positionals, values);
  const read = async (): Promise<ParsedExport> => {
    const { path } = common;
    const fileName = basename(path, extname(path));
    if (extname(path).toLowerCase() === '.json') {
      const file = await readOneFile(path);
      const plan = planYnabJson(parseYnabJson(file));
      return { plan, fileName, identity: [file.bytes], hasIds: true };
    }
    const [register, budgetPlan] = await readFiles(path, [REGISTER, PLAN]);
    const tables = readYnab(register, budgetPlan, order);
    const plan = planYnab(tables, ynabName(register), offBudget);
    // The identity holds the effect of the options, not their text: an option that changes nothing must not make
    // another budget of the same file.
    const off = plan.accounts.filter(account => !account.onBudget).map(account => account.name);
    const understood = JSON.stringify([tables.dateOrder, off]);
    const identity = [register.bytes, budgetPlan.bytes, understood];
    return { plan, fileName, identity, hasIds: false };
  };
  return { kind: 'ynab', ...common, read };
}

function parseActual(args: string[]): ImportRequest {
  const syntax = { args, options: OPTIONS, allowPositionals: true } as const;
  const { values, positionals } = parseArguments(syntax, IMPORT_USAGE);
  const common = commonOf(positionals, values);
  const read = async (): Promise<ParsedExport> => {
    const [database, metadata] = await readFiles(common.path, [DATABASE, METADATA]);
    const plan = await planActual(database, metadata);
    const fileName = basename(common.path, extname(common.path));
    return { plan, fileName, identity: [database.bytes], hasIds: true };
  };
  return { kind: 'actual', ...common, read };
}

interface CommonValues {
  readonly user?: string[];
  readonly space?: string[];
  readonly into?: string[];
  readonly currency?: string[];
  readonly name?: string[];
  readonly type?: string[];
  readonly 'dry-run'?: boolean;
  readonly 'accept-differences'?: boolean;
}

function commonOf(files: string[], values: CommonValues): Omit<ImportRequest, 'kind' | 'read'> {
  const [path] = files;
  if (path === undefined || files.length > 1) {
    throw usageError(`Expected one file, got ${files.length}`, IMPORT_USAGE);
  }
  const value = (option: 'user' | 'space' | 'into' | 'currency' | 'name') =>
    singleValue(values[option], `--${option}`, IMPORT_USAGE) ?? null;
  const [user, space, into] = [value('user'), value('space'), value('into')];
  if (into === null && user === null && space === null) {
    throw usageError('Expected --user, --space or --into, got none of them', IMPORT_USAGE);
  }
  if (into !== null && (user !== null || space !== null)) {
    throw usageError('Expected --into without --user and --space, got both', IMPORT_USAGE);
  }
  return {
    path,
    user,
    space,
    into,
    currency: value('currency'),
    name: value('name'),
    types: typesOf(values.type ?? []),
    isDryRun: values['dry-run'] ?? false,
    acceptsDifferences: values['accept-differences'] ?? false,
  };
}

function typesOf(texts: readonly string[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    if (at < 1) throw usageError(`Expected --type ACCOUNT=TYPE, got ${text}`, IMPORT_USAGE);
    types.set(text.slice(0, at), text.slice(at + 1));
  }
  return types;
}

/** Returns `Home` for a file named `Home as of 2026-03-14 10-22 - Register.csv`. */
function ynabName({ name }: NamedFile): string | null {
  return /^(.+?)(?: as of .*?)? - Register\.[a-z]+$/i.exec(name)?.[1] ?? null;
}
