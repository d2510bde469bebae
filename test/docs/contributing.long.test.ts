// What CONTRIBUTING.md promises about forgotten pieces, by forgetting them: in a copy of the sources, each line of a new
// aggregate is left out once, and each table lacks what a new event, route, filter or limit needs.
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { sourceFiles } from '../helpers/source-files.ts';
import { type Teardown, temporaryFolder } from '../helpers/temporary-folder.ts';

const ROOT = process.cwd();
const FOLDERS = ['src', 'projections', 'schemas', 'test'];
const UNIT_TEST = 'any-aggregate.test.ts';
const AGGREGATE = 'projections/aggregates/payee-months.ts';

/** A sum by payee and month, as one would add it. */
const PAYEE_MONTHS = `import type { Hundredths, InSet } from '../documents.ts';
import type { EditableDocuments } from '../editable-documents.ts';
import { overRows, type RowPart, type Sign } from './aggregate.ts';
export interface PayeeMonth extends InSet {
  count: number;
  total: Hundredths;
}
export const payeeMonths = overRows('payeeMonths', ['payeeId', 'date', 'amount'], {
  idOf: ({ payeeId, date }) => payeeMonthId(payeeId, date),
  take: takeRow,
});
function payeeMonthId(payeeId: string | null, date: string): string | null {
  return payeeId && \`\${payeeId}/\${date.slice(0, 7)}\`;
}
function takeRow(
  documents: EditableDocuments<{ payeeMonths: PayeeMonth }>,
  row: RowPart<'payeeId' | 'date' | 'amount'>,
  sign: Sign,
): void {
  const id = payeeMonthId(row.payeeId, row.date);
  if (id === null) return;
  const { document } = documents.edit('payeeMonths', { set: row.set, id }, copy);
  document.count += sign;
  document.total += sign * row.amount;
  if (document.count === 0) documents.remove('payeeMonths', row.set, id);
}
function copy(stored: PayeeMonth | null, { set, id }: InSet): PayeeMonth {
  return {
    set,
    id,
    count: stored?.count ?? 0,
    total: stored?.total ?? 0,
  };
}
`;

interface Edit {
  readonly file: string;
  /** The line before. */
  readonly below: string;
  readonly line: string;
}

/** What the new kind adds to the two tables. */
const ROWS: readonly Edit[] = [
  {
    file: 'document-kinds.ts',
    below: "import { type MonthSums, monthSums } from './aggregates/month-sums.ts';",
    line: "import { type PayeeMonth, payeeMonths } from './aggregates/payee-months.ts';",
  },
  {
    file: 'document-kinds.ts',
    below: '  monthSums: MonthSums;',
    line: '  payeeMonths: PayeeMonth;',
  },
  {
    file: 'document-kinds.ts',
    below: "  monthSums: { madeFrom: 'rows', keptMax: 4, aggregate: monthSums },",
    line: "  payeeMonths: { madeFrom: 'rows', keptMax: 16, aggregate: payeeMonths },",
  },
  {
    file: 'document-storage.ts',
    below: '  memoBlocks: flatDocuments(BY_SET, {}),',
    line: "  payeeMonths: flatDocuments(BY_SET, { count: 'number', total: 'money' }),",
  },
];

interface Checkout {
  /** Returns the path of the only source whose path ends with this name. */
  path(name: string): string;
  read(name: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** Returns the errors of the compiler; none is the empty text. */
  compile(): Promise<string>;
  /** Returns the output of the unit test if it fails. */
  runUnitTest(): Promise<string>;
}

/** @param include the sources to compile, with those that they import */
async function copySources(t: Teardown, include: readonly string[]): Promise<Checkout> {
  const folder = await temporaryFolder(t);
  const files = ['package.json', 'ava.config.js', ...FOLDERS];
  for (const name of files) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const config = JSON.parse(await readFile(join(ROOT, 'tsconfig.json'), 'utf8'));
  const sources = sourceFiles(ROOT, FOLDERS);
  const path = (name: string) => {
    if (name === AGGREGATE || FOLDERS.includes(name)) return name;
    const [found, ...others] = sources.filter(source => `/${source}`.endsWith(`/${name}`));
    if (!found || others.length > 0) throw new Error(`Expected one ${name}`);
    return found;
  };
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write('tsconfig.json', JSON.stringify({ ...config, include: include.map(path) }));
  const run = (name: string, ...args: readonly string[]) =>
    new Promise<string>(resolve => {
      const program = join(ROOT, 'node_modules/.bin', name);
      execFile(program, args, { cwd: folder }, (error, stdout) => resolve(error ? stdout : ''));
    });
  return {
    path,
    read: name => readFile(join(folder, path(name)), 'utf8'),
    write,
    compile: () => run('tsc', '-p', '.', '--pretty', 'false', '--incremental'),
    runUnitTest: () => run('ava', `dist/test/projections/${UNIT_TEST.replace('.ts', '.js')}`),
  };
}

/** Returns the names of the sources that ava.config.js loads in each process. */
async function loadedByAva(): Promise<string[]> {
  const config: { default: { require: readonly string[] } } = await import(
    pathToFileURL(join(ROOT, 'ava.config.js')).href
  );
  return config.default.require.map(path => `${basename(path, '.js')}.ts`);
}

test('a sum by payee and month that lacks any line fails to compile, or a unit test', async t => {
  const checkout = await copySources(t, [UNIT_TEST, 'new-set.ts', ...(await loadedByAva())]);
  const texts = new Map([[AGGREGATE, PAYEE_MONTHS]]);
  for (const { file, below, line } of ROWS) {
    const path = checkout.path(file);
    const before = texts.get(path) ?? (await checkout.read(file));
    t.true(before.includes(below), below);
    texts.set(path, before.replace(below, `${below}\n${line}`));
  }
  for (const [path, text] of texts) await checkout.write(path, text);
  t.is(await checkout.compile(), '');
  t.is(await checkout.runUnitTest(), '', 'the whole aggregate passes');

  const caught = { compiler: 0, unit: 0 };
  const fails = async (path: string, text: string, title: string) => {
    const whole = texts.get(path) ?? (await checkout.read(path));
    t.not(text, whole, title);
    await checkout.write(path, text);
    const errors = await checkout.compile();
    t.not(errors || (await checkout.runUnitTest()), '', `nothing fails: ${title}`);
    t.log(errors ? 'compiler: ' : 'unit test:', title);
    caught[errors ? 'compiler' : 'unit'] += 1;
    await checkout.write(path, whole);
  };
  for (const [path, whole] of texts) {
    const lines = whole.split('\n');
    for (const [index, line] of lines.entries()) {
      const isNew = path === AGGREGATE || ROWS.some(row => row.line === line);
      const rest = lines.filter((_, at) => at !== index).join('\n');
      if (isNew && line !== '') await fails(path, rest, `without ${line.trim()}`);
    }
  }
  for (const [name, from, to] of WRONG) {
    const path = checkout.path(name);
    const whole = texts.get(path) ?? (await checkout.read(name));
    await fails(path, whole.replace(from, to), `${from.trim()} becomes ${to.trim()}`);
  }
  t.true(caught.compiler > 30 && caught.unit > 4, JSON.stringify(caught));
});

/** Other mistakes: wrong names of documents, and cascades whose reads are forgotten. */
const WRONG: readonly (readonly [file: string, from: string, to: string])[] = [
  [AGGREGATE, '=> payeeMonthId(payeeId, date)', "=> payeeMonthId(date, payeeId ?? '')"],
  [AGGREGATE, '=> payeeMonthId(payeeId, date)', '=> payeeMonthId(payeeId, date) && null'],
  [
    'cascades.ts',
    "  'payee.merged': ({ payeeId: id, intoPayeeId: to }) => [{ by: 'payee', id, to }],\n",
    '',
  ],
  ['wanted-documents.ts', 'if (cascades.length === 0) return;', 'if (cascades) return;'],
  [
    'wanted-documents.ts',
    'row(row, entry) {',
    'row(row, entry) {\n      if (entry) cascades.length = 0;',
  ],
];

interface Added {
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  /** The files that the compiler must name. */
  readonly named: readonly string[];
}

const KIND: Added['edits'][number] = [
  'document-kinds.ts',
  'export interface SetDocuments {',
  'export interface SetDocuments {\n  goals: Payee;',
];

const ADDED: Readonly<Record<string, Added>> = {
  'an event': {
    edits: [
      [
        'schemas/generated/events.ts',
        'export type BudgetEvent =',
        "export type BudgetEvent =\n  | EventEnvelope<'payee.painted', PayeeAdded>",
      ],
    ],
    named: ['projections/events/payees.ts'],
  },
  'an event of a new family': {
    edits: [
      [
        'schemas/generated/events.ts',
        'export type BudgetEvent =',
        "export type BudgetEvent =\n  | EventEnvelope<'goal.set', PayeeAdded>",
      ],
    ],
    named: ['projections/events/budget.ts'],
  },
  'a kind of documents': { edits: [KIND], named: ['document-kinds.ts', 'document-storage.ts'] },
  'a kind of documents that events put': {
    edits: [
      KIND,
      [
        'document-kinds.ts',
        'export const KIND_TRAITS = {',
        "export const KIND_TRAITS = {\n  goals: { madeFrom: 'events', keptMax: 1, thing: 'label', served: [] },",
      ],
    ],
    named: ['document-storage.ts', 'new-set.ts'],
  },
  'a route': {
    edits: [
      [
        'schemas/generated/api.ts',
        "export type RouteName = 'budgets'",
        "export type RouteName = 'goals' | 'budgets'",
      ],
    ],
    named: ['create-router.ts'],
  },
  'a filter of transactions': {
    edits: [
      [
        'schemas/generated/queries.ts',
        'export interface TransactionsQuery {',
        'export interface TransactionsQuery {\n  colour?: string;',
      ],
    ],
    named: ['transaction-filter.ts'],
  },
  'a rate limit': {
    edits: [
      [
        'src/process/config.ts',
        'export interface RateLimits {',
        'export interface RateLimits {\n  readonly spacePerDay: number;',
      ],
    ],
    named: ['windows.ts'],
  },
};

test('the compiler names the places that something new has to be added to', async t => {
  const checkout = await copySources(t, ['src', 'projections', 'schemas']);
  for (const [what, { edits, named }] of Object.entries(ADDED)) {
    const whole = new Map<string, string>();
    for (const [name, from, to] of edits) {
      const path = checkout.path(name);
      const text = await checkout.read(name);
      t.true(text.includes(from), from);
      if (!whole.has(path)) whole.set(path, text);
      await checkout.write(path, text.replace(from, to));
    }
    const errors = await checkout.compile();
    for (const name of named) t.regex(errors, new RegExp(`^${checkout.path(name)}\\(`, 'm'), what);
    for (const [path, text] of whole) await checkout.write(path, text);
  }
  t.is(await checkout.compile(), '');
});
