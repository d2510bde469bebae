// The commands, variables and messages of docs/operations.md are those of the code.
import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ACCESS_DATABASE } from '../../src/access/connect.ts';
import { COMMANDS } from '../../src/commands/commands.ts';
import { describeRejected } from '../../src/commands/opening/generation.ts';
import { statusCommand } from '../../src/commands/status.ts';
import { commandsOf, optionsOf } from '../../src/commands/syntax/parse-command.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { describeConfig } from '../../src/process/config-variables.ts';
import { dataLoss } from '../../src/projector/log-damage.ts';
import type { SystemStatus } from '../../src/projector/operate/system-status.ts';
import { COLLECTIONS } from '../../src/store/collections.ts';
import { invoke } from '../commands/invoke.ts';
import { anchorsOf } from '../helpers/anchors.ts';
import { test } from '../helpers/file-test.ts';
import { sourceFiles } from '../helpers/source-files.ts';

const root = process.cwd();
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const page = read('docs/operations.md');
const sources = sourceFiles(root, ['src', 'projections']).map(read).join('\n');

/** Inline code and lines of code blocks. */
const code = [
  ...[...page.matchAll(/^ *```\w*\n(.*?)^ *```$/gms)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n/g, ' ').split('\n'),
  ),
  ...[...page.replaceAll(/^ *```.*?^ *```$/gms, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) =>
    span.replaceAll('\n', ' '),
  ),
];

test('every command on the page exists and has the options shown', t => {
  const named = code.flatMap(line =>
    [...line.matchAll(/(?<![\w./-])budgeting ([a-z][a-z-]*)([^|#<;,`]*)/g)].map(
      ([, name = '', rest = '']) => ({ name, args: rest.trim().split(/ +/) }),
    ),
  );
  t.true(named.length > 20);
  for (const { name, args } of named) {
    if (name === 'help') continue;
    const shown = `budgeting ${name} ${args.join(' ')}`;
    const commands = commandsOf(COMMANDS, name);
    const command = commands.find(one => one.name === name || one.name === `${name} ${args[0]}`);
    t.true(command !== undefined || (commands.length > 0 && args[0]?.startsWith('--')), shown);
    const known = (command ? [command] : commands).flatMap(one => optionsOf(one));
    const options = known.map(([option]) => `--${option}`);
    for (const [option] of args.join(' ').matchAll(/--[a-z-]+/g)) {
      t.true([...options, '--help'].includes(option), shown);
    }
  }
});

test('the page names every command', t => {
  const text = code.join('\n');
  for (const { name } of COMMANDS) {
    t.regex(text, new RegExp(`(?:budgeting |npm )${name}(?![a-z-])`), name);
  }
});

/** An error, and variables that Node and the C library read. */
const NO_VARIABLES_OF_OURS = ['DATA_LOSS', 'NODE_OPTIONS', 'MALLOC_ARENA_MAX'];

test('every variable on the page exists, and every variable is on the page', t => {
  const known = describeConfig().flatMap(({ name, fromFile }) =>
    fromFile ? [name, `${name}_FILE`] : [name],
  );
  const named = code.flatMap(line => [
    ...line.matchAll(
      /(?<![\w$-])([A-Z]+(?:_[A-Z]+)*_?…|[A-Z]+(?:_[A-Z]+)+|HOST|PORT|MCP)(?![\w-])/g,
    ),
  ]);
  const groups: string[] = [];
  for (const [, name = ''] of named) {
    if (NO_VARIABLES_OF_OURS.includes(name)) continue;
    const start = name.replace('…', '');
    if (start !== name) groups.push(start);
    t.true(start === name ? known.includes(name) : known.some(one => one.startsWith(start)), name);
  }
  const isNamed = (name: string) =>
    named.some(([, other]) => other === name) || groups.some(group => name.startsWith(group));
  for (const { name } of describeConfig()) t.true(isNamed(name), name);
});

test('the page lists every secret that may come from a file', t => {
  const expected = describeConfig().flatMap(({ name, fromFile }) =>
    fromFile ? [`${name}_FILE`] : [],
  );
  const [, list = ''] = /^- Secrets come from files:(.*?)\. They/ms.exec(page) ?? [];
  t.deepEqual(
    [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    expected,
  );
});

test('every message that the page quotes is in the code', t => {
  const table = page.slice(page.indexOf('## Troubleshooting'));
  const cells = [...table.matchAll(/^\| (.+?) \| (.+?) \|/gm)].flatMap(row => row.slice(1));
  const quotes = cells
    .flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)])
    .map(([, quote = '']) => quote)
    .filter(quote => /^(…|[A-Z])/.test(quote) && /[a-z]{2}.* |DATA_LOSS in/.test(quote));
  t.true(quotes.length > 15);
  for (const quote of quotes) {
    for (const part of quote.split('…')) {
      t.true(sources.includes(part.trim()), `${quote}: ${part}`);
    }
  }
});

test('the examples of held streams and of differences use the wording of the code', t => {
  for (const wording of [
    'is held after sequence ',
    ' events wait',
    '1 event waits',
    'append what is missing, or budgeting parked skip --missing ',
    ' answers again; ',
    ' beside the one that answers; the projectors do it',
    ' differences`',
    'Unknown or deleted ',
  ]) {
    t.true(page.includes(wording.replace('`', '')), wording);
    t.true(sources.includes(wording), wording);
  }
});

test('the examples of a rejected version name the image that builds it', t => {
  t.is(page.split(`\n${describeRejected(2)}\n`).length, 3);
});

test('the example of status is what status prints', async t => {
  const [example = ''] = /^ *generation {2}version.*?(?=^ *```)/ms.exec(page) ?? [];
  const indent = example.indexOf('generation');
  const lines = example.trimEnd().split('\n');
  const of = (applied: number, lagSeconds: number) => {
    const place = { partition: 0, next: applied, end: 22245, lagEvents: 0, lagSeconds };
    const faults = {
      held: 0,
      heldStreams: [],
      quarantined: 0,
      quarantinedRecords: [],
      nearTypes: [],
    };
    const partitions = [{ ...place, halted: null }];
    return { applied, total: 22245, partitions, ...faults, reason: null };
  };
  const status = {
    active: 'g1',
    generations: [
      { ...of(22245, 0), id: 'g1', version: 1, state: 'active' },
      { ...of(15161, 32745476), id: 'g2', version: 2, state: 'building' },
    ],
    rejectedVersions: [],
    settingsProblem: null,
    hidden: [],
  };
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  await invoke(statusCommand, [], { status: async () => status as unknown as SystemStatus, print });
  t.deepEqual(
    lines.map(line => line.slice(indent)),
    printed,
  );
});

test('the example of DATA_LOSS is a line of the logger', t => {
  const [line = ''] = /^\{.*DATA_LOSS.*\}$/m.exec(page) ?? [];
  const { msg, partition } = JSON.parse(line);
  const eventLog = { name: 'topic budgeting.events' } as EventLog;
  const message = 'expected offset 5157 next, but the log holds offsets 0 to 4799';
  t.is(msg, dataLoss(eventLog, partition, message));
});

test('the page lists every state of a generation and every reason of a held stream', async t => {
  const registry = read('src/store/registry.ts');
  const [, states = ''] = /type GenerationState =([^;]+);/.exec(registry) ?? [];
  const documents = read('projections/documents.ts');
  const [, reasons = ''] = /why: ([^;]+);/.exec(documents) ?? [];
  t.deepEqual(firstCells('| State of a generation | |'), quotedWords(states));
  const named = firstCells('| Why | What it is | What to do |');
  t.deepEqual([...new Set(named)].sort(), quotedWords(reasons).sort());
});

test('every database and collection on the page exists', t => {
  t.true(page.includes(`\`${ACCESS_DATABASE}\``));
  const collections = [...page.matchAll(/\bg\d+_([a-zA-Z]+)\b/g)].map(([, name = '']) => name);
  t.true(collections.length > 0);
  for (const name of collections) t.true(Object.hasOwn(COLLECTIONS, name), name);
});

test('the topic has the settings that a projector requires', async t => {
  const topic = read('src/event-log/kafka/topic.ts');
  const command = code.find(line => line.includes('--create --topic')) ?? '';
  const settings = [...command.matchAll(/--config ([\w.]+)=(\S+)/g)];
  const [, required = ''] = /REQUIRED[^{]*\{([^}]+)\}/.exec(topic) ?? [];
  for (const [, name = '', value = ''] of required.matchAll(/'([\w.]+)': '([^']+)'/g)) {
    t.true(
      settings.some(([, set, to]) => set === name && to === value),
      `${name}=${value}`,
    );
  }
  const [, bytes = ''] = /MESSAGE_BYTES_MAX = ([\d_]+)/.exec(topic) ?? [];
  t.true(command.includes(`max.message.bytes=${bytes.replaceAll('_', '')}`));
  t.true(sources.includes('`$' + '{topic}.append`'));
  t.true(sources.includes('`$' + '{topic}.$' + '{group}`'));
});

test('the health paths on the page are those of the management port', t => {
  for (const path of ['/livez', '/readyz']) {
    t.true(page.includes(`\`${path}\``), path);
    t.true(sources.includes(`'${path}'`), path);
  }
});

for (const name of ['operations', 'decisions']) {
  test(`every link of ${name}.md has a target`, async t => {
    const text = read(`docs/${name}.md`);
    for (const [, path = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = path === '' ? `docs/${name}.md` : join(dirname(`docs/${name}.md`), path);
      await t.notThrowsAsync(stat(join(root, target)), target);
      if (anchor !== undefined) t.true(anchorsOf(read(target)).includes(anchor), anchor);
    }
  });
}

function firstCells(header: string): string[] {
  const table = page.slice(page.indexOf(header)).split('\n\n', 1)[0] ?? '';
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, cell = '']) => cell);
}

function quotedWords(text: string): string[] {
  return [...text.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
}
