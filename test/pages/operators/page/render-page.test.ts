// The page as text: it shows the known facts, and no values of events.
import test from 'ava';
import type { OperatorsPageFacts } from '../../../../src/pages/operators/page/page-facts.ts';
import {
  MANAGEMENT_POLICY,
  renderOperatorsPage,
} from '../../../../src/pages/operators/page/render-page.ts';
import { createOwnPartitions } from '../../../../src/pages/operators/partitions.ts';
import type { StatusSnapshot } from '../../../../src/pages/operators/status-monitor.ts';
import type { HeldEvent } from '../../../../src/projector/operate/held-events.ts';
import { AT, generation, partition, snapshotOf } from '../snapshot-of.ts';

const PATHS = { script: '/refresh.js', ready: '/readyz', metrics: '/metrics' };

function textOf(
  snapshot: StatusSnapshot,
  changes: Partial<OperatorsPageFacts> = {},
  still = false,
): string {
  const facts = {
    command: 'start',
    snapshot,
    heldEvents: null,
    waiting: [],
    history: [],
    own: createOwnPartitions(),
    requests: { counts: [], buckets: [] },
    projects: true,
    ...changes,
  };
  return renderOperatorsPage(facts, PATHS, still);
}

const held = (stream: string, why: 'parked' | 'gap' | 'change', reason = 'Because') => ({
  stream,
  partition: 7,
  sequence: 3,
  why,
  since: '2026-11-20T10:00:00.000Z',
  reason,
  queued: 2,
  event: why === 'change' ? null : { sequence: 5, eventId: 'e-5', partition: 7, offset: 91 },
  work: why === 'change' ? ('projector' as const) : null,
});

/** Returns the events of streams of g1. */
function inG1(
  streams: ReadonlyMap<string, readonly HeldEvent[]>,
): Pick<OperatorsPageFacts, 'heldEvents'> {
  return { heldEvents: new Map([['g1', streams]]) };
}

test('servers that are away are shown, and unknown values are left out', t => {
  const waiting = [{ what: 'database', message: 'The database does not answer' }] as const;
  const text = textOf(snapshotOf([], { registry: null, projection: null }), { waiting });
  t.regex(text, /<title>Waiting: start/);
  t.regex(text, /<li>The database does not answer<\/li>/);
  t.regex(text, /Not known while the database does not answer/);
  t.notRegex(text, /No stream is held|<table>/);
});

test('a generation shows its progress and its rate', t => {
  const building = generation('g2', [partition(0, 500, 2000)], { state: 'building', version: 2 });
  const history = [0, 10].map(second => ({
    atMs: AT.getTime() + second * 1000,
    generations: new Map([['g2', { applied: second * 50, lagEvents: 1500 }]]),
  }));
  const text = textOf(snapshotOf([building]), { history });
  t.regex(text, /g2 <span class="state building">building</);
  t.regex(text, /500 of 2,000 events \(25 %\), 50 a second lately, about 30 s left/);
  t.regex(text, /<progress max="2000" value="500" aria-label="Progress of g2">/);
  t.regex(text, /<td>500<\/td><td>2,000<\/td><td>1,500<\/td><td>1 min 30 s<\/td>/);
});

test('a build that waits shows why, and how to abandon it', t => {
  const waitsFor = 'Stream <b> is held at sequence 4 in g2, but not in g1';
  const text = textOf(snapshotOf([generation('g2', [], { state: 'building', waitsFor })]));
  t.regex(text, /Not switched to: Stream &lt;b&gt; is held at sequence 4 in g2, but not in g1/);
  t.regex(text, /<code>npx budgeting rebuild --abandon<\/code>/);
  t.notRegex(textOf(snapshotOf([generation('g2', [], { state: 'building' })])), /abandon/);
});

test('a verification shows its progress', t => {
  const verified = { done: 20, total: 50 };
  const text = textOf(snapshotOf([generation('g2', [], { state: 'verifying', verified })]));
  t.regex(text, /<progress max="50" value="20" aria-label="Verification of g2">/);
  t.regex(text, /20 of 50 streams are verified/);
});

test('row indexes that are being built show their progress', t => {
  const shown = (percent: number | null) =>
    textOf(snapshotOf([generation('g2', [], { state: 'verifying', indexing: { percent } })]));
  t.regex(shown(42), /Its row indexes are being built: 42 %/);
  t.regex(shown(null), /Its row indexes are being built</);
});

test('the partitions of this process are marked', t => {
  const own = createOwnPartitions();
  own.set('g1', 0, 'claimed');
  own.set('g1', 1, 'halted');
  const parts = [0, 1, 2].map(number => partition(number, 1, 1));
  const text = textOf(snapshotOf([generation('g1', parts)]), { own });
  const marks = [...text.matchAll(/<th scope="row">(\d) (?:<span[^>]*>(\w+)<)?/g)];
  t.deepEqual(
    marks.map(([, number, mark]) => [number, mark]),
    [
      ['0', 'here'],
      ['1', 'halted'],
      ['2', undefined],
    ],
  );
});

test('verifications and failures are shown without values', t => {
  const reason = 'Verification found a difference: home: payees/p name: expected "Anna", stored 7';
  const failed = generation('g2', [], { state: 'failed', reason });
  const ok = generation('g1', []);
  const counts = { streams: 50, documents: 9, damages: 0 };
  const at = new Date(AT.getTime() - 120_000);
  const snapshot = snapshotOf([ok, failed]);
  const verifications = [
    { generation: 'g1', scope: 'all', at, ...counts, differences: 0 },
    { generation: 'g2', scope: 'sample', at, ...counts, differences: 2 },
  ] as const;
  const projection = snapshot.projection && { ...snapshot.projection, verifications };
  const text = textOf({ ...snapshot, projection });
  t.regex(text, /Verified all 50 streams 2 min ago: <span class="good">no difference/);
  t.regex(text, /Verified a sample of 50 streams 2 min ago: <span class="bad">2 differences/);
  t.regex(text, /Verification found a difference: home: payees\/p name</);
  t.notRegex(text, /Anna/);
});

test('a held stream is shown once, with its generations and its commands', t => {
  const streams = [held('b-1', 'parked', 'Got "Gift for Anna"'), held('b-2', 'gap')];
  const both = { held: 2, heldBy: { parked: 1, gap: 1, change: 0 }, heldStreams: streams };
  const g1 = generation('g1', [], both);
  const g2 = generation('g2', [], { ...both, state: 'building', held: 53 });
  const text = textOf(snapshotOf([g1, g2]));
  t.is(text.match(/<h3>b-1 /g)?.length, 1);
  t.regex(text, /2 in g1, 53 in g2/);
  t.regex(
    text,
    /In g1 and g2, partition 7, after sequence 3, since 2026-11-20 10:00:00 UTC, 2 waiting/,
  );
  t.regex(text, /Held by event e-5 \(sequence 5, partition 7, offset 91\)/);
  t.regex(text, /Held before event e-5 /);
  t.regex(text, /npx budgeting parked retry b-1/);
  t.regex(text, /npx budgeting parked skip --missing b-2/);
  t.regex(text, /There are more: <code>npx budgeting parked list</);
  t.notRegex(text, /Anna/);
});

test('a paused generation shows since when, why and how to resume it, without values', t => {
  const paused = {
    since: new Date('2026-11-20T11:00:00Z'),
    reason: '32 of 67 streams would have been parked within 60 s',
    examples: [{ stream: 'b-1', reason: 'Got "Gift for Anna"' }],
  };
  const text = textOf(snapshotOf([generation('g1', [], { paused })]));
  t.regex(text, /Paused since 2026-11-20 11:00:00 UTC: 32 of 67 streams would have been parked/);
  t.regex(text, /<li>b-1: Got a text/);
  t.regex(text, /npx budgeting parked resume/);
  t.notRegex(text, /Anna/);
});

test('text from outside is escaped', t => {
  const reason = '<script>alert(1)</script>';
  const streams = [held('b<i>', 'change', reason)];
  const g1 = generation('g1', [], { held: 1, heldStreams: streams });
  const counts = [{ route: '/<b>', method: 'GET', status: 200, count: 1 }];
  const events = [{ sequence: 4, id: 'e-<b>', type: '<i>', time: null }];
  const text = textOf(snapshotOf([g1]), {
    ...inG1(new Map([['b<i>', events]])),
    requests: { counts, buckets: [] },
  });
  t.notRegex(text, /<script>|<i>|<b>/);
});

test('requests are counted by route', t => {
  const counts = [
    { route: '/api/v1/budgets', method: 'GET', status: 200, count: 5 },
    { route: '/api/v1/budgets', method: 'HEAD', status: 304, count: 1 },
    { route: '/api/v1/budgets', method: 'GET', status: 499, count: 4 },
    { route: '/api/v1/budgets', method: 'GET', status: 429, count: 2 },
    { route: '-', method: 'GET', status: 404, count: 3 },
    { route: '-', method: 'GET', status: 503, count: 1 },
  ];
  const buckets = [
    { route: '/api/v1/budgets', method: 'GET', seconds: 0.01, count: 4 },
    { route: '/api/v1/budgets', method: 'GET', seconds: 0.02, count: 7 },
    { route: '/api/v1/budgets', method: 'GET', seconds: Number.POSITIVE_INFINITY, count: 8 },
  ];
  const text = textOf(snapshotOf([]), { requests: { counts, buckets } });
  const cells = (route: string) => {
    const row = new RegExp(`${route}</th>(.*?)</tr>`, 's').exec(text)?.[1] ?? '';
    return [...row.matchAll(/<td>([^<]*)/g)].map(([, cell]) => cell);
  };
  t.deepEqual(cells('budgets'), ['12', '0', '2', '0', '10 ms', '&gt; 20 ms']);
  t.deepEqual(cells('other'), ['4', '3', '0', '1', '–', '–']);
  t.regex(text, /p50 and p99: half and 99 % of the answers were ready/);
});

test('the events of a held stream are named, and the number of those that are not shown', t => {
  const heldStreams = [{ ...held('b-1', 'parked'), queued: 1207 }, held('b-2', 'gap')];
  const both = { held: 2, heldStreams };
  const events = [
    { sequence: 4, id: 'e-4', type: 'payee.created', time: '2026-11-20T09:59:58.123Z' },
    { sequence: 5, id: 'e-5', type: null, time: null },
  ];
  const streams = new Map([['b-1', events]]);
  const text = textOf(snapshotOf([generation('g1', [], both)]), inG1(streams));
  const [b1 = '', b2 = ''] = text.split('<h3>').slice(-2);
  t.regex(b1, /<caption>First events waiting in b-1</);
  t.regex(b1, />4<.*payee\.created.*e-4.*2026-11-20 09:59:58 UTC/);
  t.regex(b1, />5<.*unknown.*e-5.*unknown/);
  t.regex(b1, /1,205 more wait behind them/);
  t.notRegex(b2.split('</li>')[0] ?? '', /<table|more wait/);
});

test('each table has a legend of its columns', t => {
  const heldStreams = [held('b-1', 'parked')];
  const parts = [partition(0, 1, 2)];
  const counts = [{ route: '-', method: 'GET', status: 404, count: 1 }];
  const events = new Map([['b-1', [{ sequence: 4, id: 'e', type: 'x', time: null }]]]);
  const snapshot = snapshotOf([generation('g1', parts, { held: 1, heldStreams })]);
  const text = textOf(snapshot, { ...inG1(events), requests: { counts, buckets: [] } });
  const columns = [...text.matchAll(/<th scope="col">([^<]*)/g)].map(([, name = '']) => name);
  t.is(columns.length, 16);
  const legends = [...text.matchAll(/<p class="quiet">(.*?)<\/p>/g)].map(([, words]) => words);
  const said = legends.join(' ').toLowerCase();
  for (const name of columns) t.true(said.includes(name.toLowerCase()), name);
});

test('a reader refers to the projectors for the rest, and a projector shows no requests', t => {
  const reader = textOf(snapshotOf([generation('g1', [])]), { projects: false });
  t.regex(reader, /are on the page of a projector/);
  t.notRegex(reader, /<h2>(Lag|Held streams)/);
  t.notRegex(textOf(snapshotOf([]), { requests: null }), /<h2>Requests/);
});

test('the page refreshes itself, with and without scripts, unless it is asked not to', t => {
  const text = textOf(snapshotOf([]));
  t.regex(text, /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/);
  t.regex(text, /<script src="\/refresh.js" defer>/);
  t.regex(text, /<a href="\/\?still">Stop refreshing/);
  const still = textOf(snapshotOf([]), {}, true);
  t.notRegex(still, /refresh"|<script/);
  t.regex(still, /<a href="\/">Refresh by itself/);
});

test('the page needs no other host and contains no form', t => {
  const text = textOf(snapshotOf([generation('g1', [partition(0, 1, 2)])]));
  t.notRegex(text, /https?:\/\/|<form|<button|<input/);
  t.notRegex(text, / style=/);
  t.notRegex(MANAGEMENT_POLICY, /unsafe|http/);
});
