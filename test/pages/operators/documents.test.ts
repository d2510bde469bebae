// docs/monitoring.md, the dashboard and the alerts name existing metrics, and all of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../../helpers/file-test.ts';
import { everyMetric } from './every-metric.ts';

const read = (name: string) => readFileSync(join(process.cwd(), 'docs', name), 'utf8');
const guide = read('monitoring.md');
const rules = read('alert-rules.yml');
const dashboard = JSON.parse(read('grafana-dashboard.json'));
let metrics: Awaited<ReturnType<typeof everyMetric>>;

test.before(async () => {
  metrics = await everyMetric();
});

interface Row {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

const ROW = /^\| `((?:budgeting|process|nodejs)_\w+)` \| (\w+) \| ([^|]*)\| \S/gm;

function rowsOf(text: string): Row[] {
  return [...text.matchAll(ROW)].map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
  }));
}

/** Only Linux has these. */
const ON_LINUX = /^process_(resident|virtual|heap|open|max)/;
const rows = rowsOf(guide).filter(
  ({ name }) => process.platform === 'linux' || !ON_LINUX.test(name),
);

test('every metric is documented with its type, and nothing else is', t => {
  const real = [...metrics.values()].map(({ name, type }) => `${name} ${type}`);
  t.deepEqual(rows.map(({ name, type }) => `${name} ${type}`).sort(), real.sort());
});

test('names and units follow the conventions of Prometheus', t => {
  for (const { name, type, help } of metrics.values()) {
    t.is(name.endsWith('_total'), type === 'counter', name);
    t.notRegex(name, /milli|minutes|percent|_ms\b/);
    t.regex(help, /^[A-Z]/, name);
    if (type === 'histogram') t.regex(name, /_seconds$/);
  }
});

test('the tables of roles list the metrics of each process', async t => {
  const [, projectors = '', readers = ''] = guide.split(/^### Of (?:projectors|readers).*$/m);
  const namesIn = (text: string) =>
    rowsOf(text.split(/^###? /m, 1)[0] ?? '').map(({ name }) => name);
  const ours = async (does: Parameters<typeof everyMetric>[0]) =>
    [...(await everyMetric(does)).keys()].filter(name => name.startsWith('budgeting_'));
  const common = await ours({ reads: false, projects: false });
  const beside = (names: readonly string[]) => names.filter(name => !common.includes(name)).sort();
  t.deepEqual(namesIn(projectors).sort(), beside(await ours({ reads: false })));
  t.deepEqual(namesIn(readers).sort(), beside(await ours({ projects: false })));
});

const EXPRESSION_NAME = /\b(?:budgeting|process|nodejs)_[a-z0-9_]+/g;
const LABEL = /([a-z_]+)=~?"/g;

/** Checks that an expression names existing metrics and selects by existing labels; returns the problems. */
function checkExpression(expression: string): string[] {
  const problems: string[] = [];
  // These keywords precede names of labels in parentheses.
  const bare = expression.replaceAll(/\b(?:by|on|group_left|group_right) \([^)]*\)/g, '');
  for (const [stored] of bare.matchAll(EXPRESSION_NAME)) {
    const name = stored.replace(/_(bucket|sum|count)$/, '');
    const family = metrics.get(stored) ?? metrics.get(name);
    if (!family) problems.push(`${stored} is no metric`);
    else if (family.type === 'histogram' && stored === family.name)
      problems.push(`${stored} has parts`);
    else if (family.type === 'counter' && !/rate|increase/.test(bare))
      problems.push(`${stored} only grows`);
  }
  for (const [, selected = '', labels = ''] of bare.matchAll(/(\w+)\{([^}]*)\}/g)) {
    // Prometheus makes this one itself.
    if (selected === 'up') continue;
    const row = rows.find(({ name }) => name === selected);
    for (const [, label = ''] of labels.matchAll(LABEL)) {
      if (!row?.labels.includes(label)) problems.push(`${selected} has no label ${label}`);
    }
  }
  return problems;
}

test('the check finds wrong names and labels in an expression', t => {
  t.deepEqual(checkExpression('budgeting_lag > 0'), ['budgeting_lag is no metric']);
  t.deepEqual(checkExpression('budgeting_held_streams{kind="gap"}'), [
    'budgeting_held_streams has no label kind',
  ]);
  t.deepEqual(checkExpression('budgeting_http_requests_total'), [
    'budgeting_http_requests_total only grows',
  ]);
  t.deepEqual(checkExpression('budgeting_http_request_duration_seconds'), [
    'budgeting_http_request_duration_seconds has parts',
  ]);
});

test('every alert uses existing metrics and is explained', t => {
  const alerts = [...rules.matchAll(/- alert: (\w+)\n {8}expr: (.+(?:\n {10}.+)*)/g)];
  t.true(alerts.length >= 8);
  t.is(rules.match(/- alert:/g)?.length, alerts.length);
  for (const [, name, expression = ''] of alerts) {
    t.deepEqual(checkExpression(expression), [], name);
    t.regex(expression, /budgeting_|^up\{job="budgeting"\}/, name);
  }
  const explained = [...guide.matchAll(/^\| `(Budgeting\w+)` \|/gm)].map(([, name]) => name);
  t.deepEqual(
    explained,
    alerts.map(([, name]) => name),
  );
});

test('the dashboard uses existing metrics', t => {
  const panels: { title: string; targets: { expr: string }[] }[] = dashboard.panels;
  t.true(panels.length > 10);
  for (const { title, targets } of panels) {
    for (const { expr } of targets) t.deepEqual(checkExpression(expr), [], title);
  }
  const text = JSON.stringify(dashboard);
  for (const { name } of rows.filter(row => row.name.startsWith('budgeting_'))) {
    const isDetail = /server_up|quarantined|verification_(streams|timestamp)/.test(name);
    t.true(isDetail || text.includes(name), `${name} has a panel`);
  }
});
