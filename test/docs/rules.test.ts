// The rule book (docs/rules): each rule names its code and the tests that hold it, and the worked example is calculated.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { anchorOf } from '../helpers/anchors.ts';
import { createScene, type Scene } from '../model/scene.ts';
import { MONTHS, SETTING } from '../model/worked-example.ts';

const folder = join(process.cwd(), 'docs/rules');
const pages = readdirSync(folder).sort();

interface Rule {
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** A rule ends at the next heading. */
const rules: readonly Rule[] = pages
  .filter(page => page !== 'README.md')
  .flatMap(page =>
    readFileSync(join(folder, page), 'utf8')
      .split(/^(?=#+ )/m)
      .filter(part => part.startsWith('### '))
      .map(text => ({ page, title: text.slice(4, text.indexOf('\n')), text })),
  );

/** Returns the paths of a line such as `Code: …`, which stands once below a rule. */
function pathsOf({ text }: Rule, label: string): string[] {
  const lines = text.split('\n').filter(line => line.startsWith(`${label}: `));
  if (lines.length !== 1) return [];
  return [...(lines[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

test('the contents name every page, and no other', t => {
  const contents = readFileSync(join(folder, 'README.md'), 'utf8');
  const named = [...contents.matchAll(/^\| \[([\w-]+\.md)\]\(\1\)/gm)].map(([, page]) => page);
  t.deepEqual([...named, 'README.md'].sort(), pages);
});

test('every rule names its code', t => {
  t.true(rules.length > 100, `only ${rules.length} rules`);
  for (const rule of rules) {
    const paths = pathsOf(rule, 'Code');
    t.true(paths.length > 0, `${rule.page}: ${rule.title}`);
    for (const path of paths) t.true(existsSync(path), `${rule.page}: ${rule.title}: ${path}`);
  }
});

test('every rule names tests that hold it', t => {
  for (const rule of rules) {
    const paths = pathsOf(rule, 'Held by');
    t.true(paths.length > 0, `${rule.page}: ${rule.title}`);
    for (const path of paths) {
      t.regex(path, /^test\/.*\.test\.ts$/, `${rule.page}: ${rule.title}`);
      t.true(existsSync(path), `${rule.page}: ${rule.title}: ${path}`);
    }
  }
});

test('no page has two rules with one anchor', t => {
  const anchors = rules.map(({ page, title }) => `${page}#${anchorOf(title)}`);
  t.deepEqual(
    anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index),
    [],
  );
});

/** Returns the last figure of each month in the rows of a table of the example. */
function figuresOf(table: string): Record<string, readonly string[]> {
  const rows = [...table.matchAll(/^\| ([a-zA-Z ]+) \| (.+) \| (.+) \|$/gm)];
  const result = (cell = '') => cell.split('= ').at(-1)?.trim().replace('−', '-') ?? '';
  return Object.fromEntries(
    rows.map(([, name = '', january, february]) => [name, [result(january), result(february)]]),
  );
}

function calculated({ answers }: Scene): Record<string, readonly string[]> {
  const [january, february] = ['2024-01', '2024-02'].map(month => {
    const figures = answers.month('budget-1', month);
    if (!figures) throw new Error(`Expected figures of ${month}, got none`);
    const between = { start_month: month, end_month: month };
    const envelopes = answers.categoryMonths('budget-1', between)?.months[0]?.categories ?? [];
    const available = (id: string) =>
      envelopes.find(({ categoryId }) => categoryId === id)?.available ?? '';
    return {
      Food: available('food'),
      Rent: available('rent'),
      overspent: `${figures.overspentTotal} (${figures.overspentCount})`,
      'ready to assign': figures.readyToAssign,
      held: figures.heldForNextMonth,
      uncategorized: String(figures.uncategorizedCount),
      cash: figures.cashBalance,
      law: figures.cashBalance,
    };
  });
  if (!january || !february) throw new Error('Expected two months, got fewer');
  return Object.fromEntries(
    (Object.keys(january) as (keyof typeof january)[]).map(name => [
      name,
      [january[name], february[name]],
    ]),
  );
}

test('the worked example has the figures that the model calculates', t => {
  const example = rules.find(({ title }) => title === 'Worked example')?.text ?? '';
  const [, off = '', on = ''] = example.split(/^Overspending .*:$/m);
  const scene = createScene();
  scene.tellAll(...SETTING, ...MONTHS);
  t.deepEqual(figuresOf(off), calculated(scene));
  const data = { month: '2024-01', categoryId: 'food', carriesOver: true };
  scene.tell({ type: 'envelope.carryover-set', data });
  const carried = figuresOf(on);
  t.deepEqual(Object.keys(carried), ['Food', 'overspent', 'ready to assign', 'cash', 'law']);
  t.like(calculated(scene), carried);
});

test('each sum of the worked example comes to its result', t => {
  const example = rules.find(({ title }) => title === 'Worked example')?.text ?? '';
  const sums = [...example.matchAll(/([\d.−+ ]+) = (−?[\d.]+)/g)];
  t.is(sums.length, 12);
  for (const [sum, terms = '', result = ''] of sums) {
    t.is(
      terms
        .replaceAll(/− /g, '−')
        .replaceAll(/\+ /g, '')
        .trim()
        .split(/ +/)
        .reduce((total, term) => total + hundredths(term), 0),
      hundredths(result),
      sum,
    );
  }
});

function hundredths(text: string): number {
  return Math.round(Number(text.replace('−', '-')) * 100);
}
