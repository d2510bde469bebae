// A stream that does not fit into memory is left out of a verification, which says so.
import { verifyCommand } from '../../src/commands/verify.ts';
import type { StoredHead } from '../../src/store/heads.ts';
import { lastVerifications } from '../../src/store/verifications.ts';
import { heapMegabytesFor, streamEventsMax } from '../../src/verify/source.ts';
import { verify } from '../../src/verify/verify.ts';
import { invoke } from '../commands/invoke.ts';
import { BUDGET, begun } from '../generations/steady-load.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { memoryLog } from '../http/memory-log.ts';
import { type RunningSystem, startSystem } from '../system/running-system.ts';

const ALL = { stream: null, sample: null };
const { signal } = new AbortController();

const mongo = useMongo(test);
let system: RunningSystem;
/** The stream with the most events, another budget, and the number of all other streams. */
let large: StoredHead;
let other: StoredHead;
let others: number;

test.before(async () => {
  system = await startSystem(mongo);
  const sizes = { events: 1500, budgets: 4, spaces: 2, users: 2 };
  const shares = { invalidShare: 0, disorderShare: 0.02, duplicateShare: 0.02 };
  const events = eventsOf(randomHistory({ seed: 4, ...sizes, ...shares }));
  const shorter = events.filter(event => event.subject === 'budget-1' || event.sequence < 300);
  await system.append(shorter);
  await system.projected();
  const heads = await system.store.collections.heads.find().sort({ sequence: -1 }).toArray();
  const [first, second] = heads;
  if (!first?.budget || !second?.budget || first.sequence === second.sequence) {
    throw new Error('Expected a largest budget, and a smaller one');
  }
  large = first;
  other = second;
  others = heads.length - 1;
});

mongo.beforeStop(async () => {
  await system?.stop();
});

const source = () => ({ ...system.source, streamEventsMax: large.sequence - 1 });

const leftOut = () =>
  new RegExp(
    `^${large._id} was not verified: its ${large.sequence} events need more memory than .+ --max-old-space-size=1\\)$`,
  );

async function run(...args: string[]) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const now = () => new Date();
  const context = { source: source(), now, signal, print, isTerminal: false };
  const error = await invoke(verifyCommand, args, context).then(
    () => null,
    ({ message, exitCode }) => ({ message, exitCode }),
  );
  return { lines, error };
}

test.serial('all other streams are verified, with their differences', async t => {
  const whole = await verify(system.source, ALL, { signal });
  t.deepEqual(whole.leftOut, []);
  t.is(whole.streams, others + 1);
  const report = await verify(source(), ALL, { signal });
  t.deepEqual(report.named, []);
  t.is(report.streams, others);
  t.true(report.documents < whole.documents);
  t.is(report.leftOut.length, 1);
  t.regex(report.leftOut[0] ?? '', leftOut());
  const { heads } = system.store.collections;
  for (const { _id } of [large, other]) {
    await heads.updateOne({ _id }, { $set: { 'budget.name': 'Tampered with' } });
  }
  const { named } = await verify({ ...source(), pausesMs: [] }, ALL, { signal });
  t.deepEqual(
    named.map(({ stream, what }) => [stream, what]),
    [[other._id, 'head budget.name']],
  );
  for (const { _id, budget } of [large, other])
    await heads.updateOne({ _id }, { $set: { budget } });
});

test.serial('the command names the stream, and fails because it was to verify it', async t => {
  const all = await run();
  t.regex(all.lines.at(-2) ?? '', leftOut());
  t.regex(all.lines.at(-1) ?? '', /^\d+ streams, \d+ documents, 0 differences$/);
  const message = 'Not all streams were verified: run the command with more memory, as said above';
  t.deepEqual(all.error, { message, exitCode: 1 });
  const one = await run('--budget', large._id);
  t.regex(one.lines.at(-2) ?? '', leftOut());
  t.deepEqual(one.error, { message, exitCode: 1 });
});

test.serial(
  'a sample may lack the stream, and a verification that lacks one is a sample',
  async t => {
    const { lines, error } = await run('--sample', '100');
    t.is(error, null);
    t.regex(lines.at(-2) ?? '', leftOut());
    await run();
    const scopes = (await lastVerifications(system.source.database)).map(({ scope }) => scope);
    t.deepEqual(scopes, ['sample']);
  },
);

/** Returns a source that calls back before each read of the log. */
function watched(onScan: () => void) {
  const { eventLog } = system.source;
  const scan: typeof eventLog.scan = (...range) => {
    onScan();
    return eventLog.scan(...range);
  };
  return { ...system.source, eventLog: { ...eventLog, scan } };
}

test.serial('a sample of more streams than there are is bounded by them', async t => {
  let scans = 0;
  const request = { stream: null, sample: 999_999_999 };
  const report = await verify(
    watched(() => {
      scans += 1;
    }),
    request,
    { signal },
  );
  t.is(report.streams, others + 1);
  t.deepEqual(report.named, []);
  // Half of a sample of a thousand, with four tries each, and the passes.
  t.true(scans > 2000 && scans < 2100, `${scans}`);
});

test.serial('a stop ends the choice of a sample at once', async t => {
  const stop = new AbortController();
  let scans = 0;
  const stopped = watched(() => {
    scans += 1;
    if (scans === 20) stop.abort(new Error('Stopped'));
  });
  const request = { stream: null, sample: 1000 };
  await t.throwsAsync(verify(stopped, request, { signal: stop.signal }), { message: 'Stopped' });
  t.is(scans, 20);
});

test.serial('with the default, streams of a hundred thousand events are verified', t => {
  t.true(streamEventsMax() > 100_000);
  t.is(heapMegabytesFor(1_000_000), 1954);
});

test.serial('a build is switched to without such a stream, and the log names it', async t => {
  const supervised = await begun(t, mongo);
  const { logger, lines } = memoryLog();
  supervised.deploy(1, { logger, streamEventsMax: 100 });
  await supervised.until(({ active }) => active === 'g1');
  const [warning] = lines.filter(({ msg }) => msg === 'Streams were not verified');
  t.is(warning.level, 40);
  t.is(warning.leftOut.length, 1);
  t.true(warning.leftOut[0].startsWith(`${BUDGET} was not verified: its 302 events need`));
  const [verified] = await lastVerifications(supervised.readModel);
  t.like(verified, { scope: 'sample', streams: 1 });
});
