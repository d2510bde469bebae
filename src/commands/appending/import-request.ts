// The arguments of `import`, and the files that they name.
import { basename, extname } from 'node:path';
import { planActual } from '../../import/actual/plan-actual.ts';
import type { BudgetPlan } from '../../import/plan.ts';
import { type NamedFile, readFiles, readOneFile } from '../../import/read-files.ts';
import { planYnab } from '../../import/ynab/plan-ynab.ts';
import { planYnabJson } from '../../import/ynab/plan-ynab-json.ts';
import { readYnab } from '../../import/ynab/read-ynab.ts';
import { parseYnabJson } from '../../import/ynab/ynab-json.ts';
import type { Invocation } from '../syntax/parse-command.ts';

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

export type ImportInvocation = Invocation<'import ynab' | 'import actual'>;

export function importRequest(invocation: ImportInvocation): ImportRequest {
  return invocation.name === 'import ynab' ? ynabRequest(invocation) : actualRequest(invocation);
}

function ynabRequest(invocation: Invocation<'import ynab'>): ImportRequest {
  const { 'date-format': order, 'off-budget': offBudget = null } = invocation.values;
  const common = commonOf(invocation);
  const read = async (): Promise<ParsedExport> => {
    const { path } = common;
    const fileName = basename(path, extname(path));
    if (extname(path).toLowerCase() === '.json') {
      const file = await readOneFile(path);
      const plan = planYnabJson(parseYnabJson(file));
      return { plan, fileName, identity: [file.bytes], hasIds: true };
    }
    const [register, budgetPlan] = await readFiles(path, [REGISTER, PLAN]);
    const tables = readYnab(register, budgetPlan, orderOf(order));
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

/** The table of commands allows no other. */
function orderOf(text: string | undefined): 'DMY' | 'MDY' | null {
  return text === 'DMY' || text === 'MDY' ? text : null;
}

function actualRequest(invocation: Invocation<'import actual'>): ImportRequest {
  const common = commonOf(invocation);
  const read = async (): Promise<ParsedExport> => {
    const [database, metadata] = await readFiles(common.path, [DATABASE, METADATA]);
    const plan = await planActual(database, metadata);
    const fileName = basename(common.path, extname(common.path));
    return { plan, fileName, identity: [database.bytes], hasIds: true };
  };
  return { kind: 'actual', ...common, read };
}

function commonOf({
  values,
  operands: [path = ''],
}: ImportInvocation): Omit<ImportRequest, 'kind' | 'read'> {
  const { user = null, space = null, into = null, currency = null, name = null, type } = values;
  return {
    ...{ path, user, space, into, currency, name },
    types: typesOf(type ?? []),
    isDryRun: values['dry-run'] === true,
    acceptsDifferences: values['accept-differences'] === true,
  };
}

function typesOf(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map(text => {
      const at = text.lastIndexOf('=');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** Returns `Home` for a file named `Home as of 2026-03-14 10-22 - Register.csv`. */
function ynabName({ name }: NamedFile): string | null {
  return /^(.+?)(?: as of .*?)? - Register\.[a-z]+$/i.exec(name)?.[1] ?? null;
}
