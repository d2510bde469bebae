// `explain`: what one event changed in the served figures.
import { explainCommand } from '../../src/commands/explain.ts';
import { DamagedLogError, type EventLog } from '../../src/event-log/event-log.ts';
import { UserError } from '../../src/process/errors.ts';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { DroppedError } from '../../src/store/snapshot.ts';
import { explain } from '../../src/verify/explain/explain.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, payee, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker, FURNISHED } from '../projections/story.ts';
import { type RunningSystem, startSystem } from '../system/running-system.ts';
import { invoke } from './invoke.ts';

const mongo = useMongo(test);
const { signal } = new AbortController();

let system: RunningSystem;

const story = (subject: string, ...drafts: readonly Draft[]) => drafts.map(eventMakerOf(subject));

function eventMakerOf(subject: string): (draft: Draft) => LogEvent {
  const eventOf = eventMaker(subject);
  return draft => eventOf(draft);
}

const ASSIGNED: Draft = {
  type: 'envelope.assigned',
  data: { categoryId: 'food', month: '2024-02', amount: '50.00' },
};

const HISTORY: readonly Draft[] = [
  CREATED,
  account('home'),
  group('needs'),
  category('food', 'needs'),
  group('wages', 'income'),
  category('wage', 'wages'),
  row('pay', { amount: '100.00', date: '2024-01-31', cleared: true, categoryId: 'wage' }),
  ASSIGNED,
  row('shopping', { amount: '-70.00', date: '2024-02-10', categoryId: 'food' }),
  row('later', { amount: '-1.00', date: '2024-04-01' }),
  { type: 'payee.added', data: { payeeId: 'shop', name: 'Shop' } },
];

const MEMO = 'm\nlines, sequence 99: forged';

test.before(async () => {
  system = await startSystem(mongo);
  await system.append(story('ours', ...HISTORY));
  await system.append(story('bad', CREATED, payee('a'), payee('a'), payee('b')));
  await system.append(story('gone', CREATED, { type: 'budget.deleted', data: {} }));
  await system.append(story('furnished', ...FURNISHED));
  await system.append(story('lines', CREATED, account('home'), row('x', { memo: MEMO })));
  await system.append(
    story(
      'people',
      { type: 'space.created', data: { name: 'Home' } },
      {
        type: 'space.member-added',
        data: { userId: 'anna' },
      },
    ),
  );
  await system.append(
    eventsOf(randomHistory({ seed: 5, events: 150, budgets: 1, spaces: 1, users: 1 })),
  );
  await system.projected();
});

mongo.beforeStop(async () => {
  await system?.stop();
});

async function printed(...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  await invoke(explainCommand, args, { source: system.source, signal, print });
  return lines;
}

const refused = async (...args: string[]) =>
  printed(...args).then(
    () => null,
    error => (error instanceof UserError ? error.message.split('\n')[0] : String(error)),
  );

test('an assignment changes its month and all later ones', async t => {
  const [first, ...changes] = await printed('ours', '--at', '8');
  t.regex(
    first ?? '',
    /^ours, sequence 8: envelope\.assigned, event ours\.8 of 2024-01-01T00:08:00\.000Z \(partition \d, offset \d+\)$/,
  );
  t.deepEqual(changes, [
    'month: readyToAssign of 2024-02 and all later months -50.00 (2024-02: 100.00 -> 50.00)',
    'month: assigned of 2024-02 0.00 -> 50.00',
    'envelope food: assigned of 2024-02 0.00 -> 50.00',
    'envelope food: available of 2024-02 and all later months +50.00 (2024-02: 0.00 -> 50.00)',
  ]);
});

test('a row changes its account, its envelope and its months, and is there', async t => {
  const changes = await printed('ours', '--at', '9');
  const starting = (what: string) => changes.filter(line => line.startsWith(what));
  t.deepEqual(starting('account home'), [
    'account home: balance 100.00 -> 30.00',
    'account home: unclearedBalance 0.00 -> -70.00',
    'account home: transactionCount 1 -> 2',
    'account home: lastTransactionDate 2024-01-31 -> 2024-02-10',
  ]);
  t.deepEqual(starting('month'), [
    'month: cashBalance of 2024-02 and all later months -70.00 (2024-02: 100.00 -> 30.00)',
    'month: overspentTotal of 2024-02 0.00 -> 20.00',
    'month: overspentCount of 2024-02 0 -> 1',
    'month: readyToAssign of 2024-03 and all later months -20.00 (2024-03: 50.00 -> 30.00)',
  ]);
  t.true(changes.includes('transaction shopping: amount nothing -> -70.00'));
  t.true(changes.includes('transaction shopping: date nothing -> 2024-02-10'));
  t.true(changes.includes('envelope food: activity of 2024-02 0.00 -> -70.00'));
  t.true(changes.includes('envelope food: available of 2024-02 50.00 -> -20.00'));
});

test('the first event, the last one, and one without figures', async t => {
  t.true((await printed('ours', '--at', '1')).includes('budget: currency nothing -> EUR'));
  const [line, ...changes] = await printed('ours');
  t.true(line?.startsWith('ours, sequence 11: payee.added'));
  t.deepEqual(changes, ['payee shop: name nothing -> Shop']);
  t.deepEqual((await printed('people')).slice(1), ['space: members nothing -> anna']);
});

test('a text of an event is no line of the command', async t => {
  const changes = await printed('lines');
  t.true(changes.includes('transaction x: memo nothing -> m\\nlines, sequence 99: forged'));
  const { changes: whole } = JSON.parse((await printed('lines', '--json')).join('\n'));
  t.true(whole.some(({ after }: { after: string }) => after === MEMO));
});

test('a generation that is dropped between two reads is no damage of the log', async t => {
  const { collections } = system.source.store;
  const checkpoints = { findOne: async () => null } as never;
  const store = { ...system.source.store, collections: { ...collections, checkpoints } };
  const without = { ...system.source, store };
  const request = { stream: 'ours', sequence: 8 };
  const dropped = explain({ ...without, generation: 'g0' }, request, signal);
  await t.throwsAsync(dropped, { instanceOf: DroppedError });
  const message = /^Generation g1 has no checkpoint of partition \d: run budgeting verify$/;
  await t.throwsAsync(explain(without, request, signal), { instanceOf: UserError, message });
});

test('JSON has every change with its amount', async t => {
  const [json = '', ...more] = await printed('ours', '--at', '8', '--json');
  t.deepEqual(more, []);
  const { stream, sequence, event, without, changes } = JSON.parse(json);
  t.deepEqual([stream, sequence, event.type, without], ['ours', 8, 'envelope.assigned', null]);
  t.deepEqual(changes[0], {
    ...{ of: 'month', figure: 'readyToAssign', month: '2024-02', until: null },
    ...{ before: '100.00', after: '50.00', by: '-50.00' },
  });
});

test('an event that was skipped has no effect, and says so', async t => {
  t.is(
    await refused('bad', '--at', '3'),
    'Expected --at to be a sequence of bad that was applied, 1 to 2, got 3',
  );
  const options = { missing: false, limits: { rowsMax: 1000 }, now: new Date() };
  await skipHeld(system.openStore(), 'bad', options);
  const lines = await printed('bad', '--at', '3');
  t.deepEqual(lines.slice(1), ['An operator skipped it', 'No served figure changed']);
  t.deepEqual((await printed('bad')).slice(1), ['payee b: name nothing -> b']);
});

test('what cannot be explained is refused', async t => {
  t.is(await refused('nobody'), 'Unknown stream nobody');
  t.is(await refused('gone'), 'The budget gone was deleted');
  t.is(await refused('ours', '--at', '0'), 'Expected --at to be a sequence from 1, got 0');
  t.is(await refused('ours', '--at', 'x'), 'Expected --at to be a sequence from 1, got x');
  const small = { ...system.source, streamEventsMax: 17 };
  await t.throwsAsync(explain(small, { stream: 'ours', sequence: 9 }, signal), {
    message:
      "The 9 events need more memory than this process has (Node's option --max-old-space-size=1)",
  });
  const context = { source: system.source, signal: AbortSignal.abort(), print: () => {} };
  await t.throwsAsync(invoke(explainCommand, ['ours'], context), {
    message: 'Stopped before all events were folded',
  });
});

test('the changes of all events add up to what is stored', async t => {
  const { accounts, heads } = system.store.collections;
  const [head] = await heads.find({ set: { $ne: null }, _id: /^budget/ }).toArray();
  t.truthy(head);
  if (!head) return;
  const balances = new Map<string, number>();
  for (let sequence = 1; sequence <= head.sequence; sequence += 1) {
    const { changes } = await explain(system.source, { stream: head._id, sequence }, signal);
    for (const { of, figure, before, after } of changes) {
      if (figure !== 'balance') continue;
      const cents = Math.round(100 * (Number(after ?? 0) - Number(before ?? 0)));
      balances.set(of, (balances.get(of) ?? 0) + cents);
    }
  }
  const stored = await accounts.find({ set: head.set as string }).toArray();
  t.true(stored.length > 0);
  for (const { id, cleared, uncleared } of stored) {
    t.is(balances.get(`account ${id}`) ?? 0, cleared + uncleared, id);
  }
});

const year = (of: string, id: string) =>
  row(id, { amount: '-1.00', date: `${of}-06-15`, categoryId: 'food' });

test('a date of a distant year costs no more, and the last month of all is explained', async t => {
  const eventOf = eventMakerOf('wide');
  const food = [CREATED, account('home'), group('needs'), category('food', 'needs')];
  const last: Draft = {
    type: 'envelope.assigned',
    data: { categoryId: 'food', month: '9999-12', amount: '5.00' },
  };
  const marked: Draft = {
    type: 'envelope.carryover-set',
    data: { categoryId: 'food', month: '0002-01', carriesOver: true },
  };
  await system.append(
    [...food, year('0001', 'old'), year('9990', 'new'), marked, last].map(eventOf),
  );
  await system.projected();
  t.deepEqual((await printed('wide', '--at', '8')).slice(1), [
    'month: readyToAssign of 9999-12 -1.00 -> -6.00',
    'month: assigned of 9999-12 0.00 -> 5.00',
    'envelope food: assigned of 9999-12 0.00 -> 5.00',
    'envelope food: available of 9999-12 -1.00 -> 4.00',
  ]);
  const marks = await printed('wide', '--at', '7');
  t.true(
    marks.includes('envelope food: carriesOver of 0002-01 and all later months false -> true'),
    marks.join('\n'),
  );
  const rows = await printed('wide', '--at', '5');
  t.true(
    rows.includes(
      'month: readyToAssign of 0001-07 and all later months -1.00 (0001-07: 0.00 -> -1.00)',
    ),
    rows.join('\n'),
  );
});

for (const [what, sequence, at] of [
  ['what is explained', 8, 8],
  ['an event before it', 4, 8],
  ['the event just before it', 7, 8],
] as readonly (readonly [string, number, number])[]) {
  test(`a log that lost ${what} explains nothing`, async t => {
    const { eventLog, ...source } = system.source;
    const lost = `ours.${sequence}`;
    const damaged: EventLog = {
      ...eventLog,
      async *scan(range, aborting) {
        for await (const records of eventLog.scan(range, aborting)) {
          yield records.filter(({ value }) => !Buffer.from(value ?? '').includes(`"${lost}"`));
        }
      },
    };
    const error = await explain(
      { ...source, eventLog: damaged },
      { stream: 'ours', sequence: at },
      signal,
    ).catch(cause => cause);
    t.true(error instanceof UserError);
    t.is(error.exitCode, 3);
    t.regex(error.message, new RegExp(`DATA_LOSS in .*: sequence ${sequence} of ours was applied`));
  });
}

test('a log that says itself that it is damaged explains nothing either', async t => {
  const { eventLog, ...source } = system.source;
  const damaged: EventLog = {
    ...eventLog,
    // biome-ignore lint/correctness/useYield: it fails before the first record.
    async *scan() {
      throw new DamagedLogError('0.ndjson ends before offset 6, expected 7');
    },
  };
  const asked = { stream: 'ours', sequence: 8 };
  const error = await explain({ ...source, eventLog: damaged }, asked, signal).catch(
    cause => cause,
  );
  t.true(error instanceof UserError);
  t.is(error.exitCode, 3);
  t.regex(
    error.message,
    /^DATA_LOSS in .*: 0\.ndjson ends before offset 6, expected 7\nThe log is damaged: do not rebuild/,
  );
});
