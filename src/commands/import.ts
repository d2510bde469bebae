// `import ynab|actual FILE`: appends a person's exported budget as the events of a new budget, all of them or none.
import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import { UserError } from '../errors.ts';
import { planActual } from '../import/actual/plan-actual.ts';
import { type ImportedEvent, importEvents } from '../import/import-events.ts';
import { type BudgetPlan, count } from '../import/plan.ts';
import { type NamedFile, readFiles } from '../import/read-files.ts';
import { planYnab } from '../import/ynab/plan-ynab.ts';
import { readYnab } from '../import/ynab/read-ynab.ts';
import { type AppendTarget, appendInput, knownTails } from './append.ts';
import { parseArguments, singleValue, usageError } from './parse-arguments.ts';
import { IMPORT_USAGE } from './usages.ts';

export interface ImportContext extends AppendTarget {
  readonly now: () => Date;
  readonly print: (line: string) => void;
}

const ONE = { type: 'string', multiple: true } as const;
const OPTIONS = { user: ONE, space: ONE, currency: ONE, name: ONE };
const YNAB_OPTIONS = { ...OPTIONS, 'date-format': ONE, 'off-budget': ONE };

const REGISTER = { pattern: /(?:^|\s|-)Register\.(?:csv|tsv)$/i, words: 'named … Register.csv' };
const PLAN = {
  pattern: /(?:^|\s|-)(?:Plan|Budget)\.(?:csv|tsv)$/i,
  words: 'named … Plan.csv or … Budget.csv',
};
const DATABASE = { pattern: /^db\.sqlite$/, words: 'named db.sqlite' };
const METADATA = { pattern: /^metadata\.json$/, words: 'named metadata.json' };

/** The arguments, before the file is read. */
interface ImportRequest {
  readonly path: string;
  readonly user: string | null;
  readonly space: string | null;
  readonly currency: string | null;
  readonly name: string | null;
}

interface ParsedExport {
  readonly plan: BudgetPlan;
  /** Derives the budget's id: importing the same file with the same options again is refused. */
  readonly identity: readonly (string | Buffer)[];
}

/** @throws UserError that lists every problem with its place in the file; nothing was appended then */
export async function runImport(args: string[], context: ImportContext): Promise<void> {
  const [kind, ...rest] = args;
  if (kind !== 'ynab' && kind !== 'actual') {
    throw usageError(`Expected import ynab or actual, got ${kind ?? 'nothing'}`, IMPORT_USAGE);
  }
  const { request, read } = kind === 'ynab' ? ynab(rest) : actual(rest);
  const { plan, identity } = await read();
  const currency = request.currency ?? plan.currency;
  if (currency === null) {
    throw usageError(
      'Expected --currency with an ISO 4217 code, the file names none',
      IMPORT_USAGE,
    );
  }
  const { user, space } = request;
  const budgetId = `${kind}-${digest([...identity, currency, user ?? '', space ?? ''])}`;
  const spaceId = space ?? `space-${digest([budgetId])}`;
  await checkStreams(context, budgetId, space);
  const name = request.name ?? plan.name ?? basename(request.path, extname(request.path));
  const events = importEvents(plan, {
    budgetId,
    name,
    currency,
    spaceId,
    memberId: user,
    source: `/budgeting/import/${kind}`,
    time: context.now().toISOString(),
  });
  const appended = await appendInput(linesOf(events), context, at => events[at - 1]?.origin ?? '');
  const lines = [...describe(plan), ...plan.notes, ...appended];
  context.print(`Imported ${JSON.stringify(name)} as budget ${budgetId} of space ${spaceId}`);
  for (const line of lines) context.print(`  ${line}`);
  context.print(`Next        budgeting token issue --user ${user ?? 'U'} --budget ${budgetId}`);
}

function ynab(args: string[]) {
  const syntax = { args, options: YNAB_OPTIONS, allowPositionals: true } as const;
  const { values, positionals } = parseArguments(syntax, IMPORT_USAGE);
  const request = requestOf(positionals, values);
  const order = singleValue(values['date-format'], '--date-format', IMPORT_USAGE) ?? null;
  if (order !== null && order !== 'DMY' && order !== 'MDY') {
    throw usageError(`Expected --date-format DMY or MDY, got ${order}`, IMPORT_USAGE);
  }
  const offBudget = values['off-budget'] ?? null;
  const read = async (): Promise<ParsedExport> => {
    const [register, budgetPlan] = await readFiles(request.path, [REGISTER, PLAN]);
    const tables = readYnab(register, budgetPlan, order);
    const plan = planYnab(tables, ynabName(register), offBudget);
    // The identity holds the effect of the options, not their text: an option that changes nothing must not make
    // another budget of the same file.
    const off = plan.accounts.filter(account => !account.onBudget).map(account => account.name);
    const understood = JSON.stringify([tables.dateOrder, off]);
    return { plan, identity: [register.bytes, budgetPlan.bytes, understood] };
  };
  return { request, read };
}

function actual(args: string[]) {
  const syntax = { args, options: OPTIONS, allowPositionals: true } as const;
  const { values, positionals } = parseArguments(syntax, IMPORT_USAGE);
  const request = requestOf(positionals, values);
  const read = async (): Promise<ParsedExport> => {
    const [database, metadata] = await readFiles(request.path, [DATABASE, METADATA]);
    return { plan: await planActual(database, metadata), identity: [database.bytes] };
  };
  return { request, read };
}

function requestOf(
  files: string[],
  values: Partial<Record<keyof typeof OPTIONS, string[]>>,
): ImportRequest {
  const [path] = files;
  if (path === undefined || files.length > 1) {
    throw usageError(`Expected one file, got ${files.length}`, IMPORT_USAGE);
  }
  const value = (option: keyof typeof OPTIONS) =>
    singleValue(values[option], `--${option}`, IMPORT_USAGE) ?? null;
  const [user, space] = [value('user'), value('space')];
  if ((user === null) === (space === null)) {
    const got = user === null ? 'neither' : 'both';
    throw usageError(`Expected either --user or --space, got ${got}`, IMPORT_USAGE);
  }
  return { path, user, space, currency: value('currency'), name: value('name') };
}

/** Returns `Home` for a file named `Home as of 2026-03-14 10-22 - Register.csv`. */
function ynabName({ name }: NamedFile): string | null {
  return /^(.+?)(?: as of .*?)? - Register\.[a-z]+$/i.exec(name)?.[1] ?? null;
}

/** Hashes each part behind its length, so that moving bytes between neighbouring parts changes the digest. */
function digest(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex').slice(0, 32);
}

/** Refuses a repeated import and an unknown space now; a projector would notice them only after the append. */
async function checkStreams(
  target: AppendTarget,
  budgetId: string,
  space: string | null,
): Promise<void> {
  const tails = await knownTails(target, new Set(space === null ? [budgetId] : [budgetId, space]));
  if ((tails.get(budgetId)?.sequence ?? 0) > 0) {
    throw new UserError(
      `This file was imported already, as budget ${budgetId}; nothing was appended`,
    );
  }
  if (space === null) return;
  const head = await target.collections.heads.findOne({ _id: space });
  const isOther = head !== null && head.sequence > 0 && head.space === null;
  if (isOther || tails.get(space)?.sequence === 0) {
    throw new UserError(`Expected --space with the id of a space that there is, got ${space}`);
  }
}

function* linesOf(events: readonly ImportedEvent[]): Generator<Buffer> {
  for (const { event } of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

function describe({ accounts, groups, payees, rows, assigned }: BudgetPlan): string[] {
  const categories = groups.flatMap(group => group.categories).length;
  const labels = new Set(rows.flatMap(row => row.labels)).size;
  const things = [
    count(accounts.length, 'account'),
    count(groups.length, 'group'),
    count(categories, 'category', 'categories'),
    count(payees.length, 'payee'),
    count(labels, 'label'),
  ];
  const [first, last] = [rows[0]?.date, rows.at(-1)?.date];
  const dated = first === undefined ? '' : `, dated ${first} to ${last}`;
  return [
    things.join(', '),
    `${count(rows.length, 'transaction')}${dated}; ${count(assigned.length, 'assigned amount')}`,
  ];
}
