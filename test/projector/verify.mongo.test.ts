// Verification finds every manual change, with both values, and no other differences.
import { verifyCommand } from '../../src/commands/verify.ts';
import type { VerifyReport } from '../../src/verify/report.ts';
import { type VerifyRequest, verify } from '../../src/verify/verify.ts';
import { invoke } from '../commands/invoke.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { type RunningSystem, startSystem } from '../system/running-system.ts';

const ALL = { stream: null, sample: null };
const never = new AbortController().signal;

/** Returns the differences of a system that is at rest, so that none is looked at again. */
function verifyAtRest(request: VerifyRequest = ALL): Promise<VerifyReport> {
  return verify({ ...system.source, pausesMs: [] }, request, { signal: never });
}

const mongo = useMongo(test);
let system: RunningSystem;

test.before(async () => {
  system = await startSystem(mongo);
  const shares = { invalidShare: 0.002, disorderShare: 0.02, duplicateShare: 0.02 };
  const sizes = { events: 2500, budgets: 5, spaces: 2, users: 3 };
  await system.append(eventsOf(randomHistory({ seed: 9, ...sizes, ...shares, wildNames: true })));
  await system.projected();
});

mongo.beforeStop(async () => {
  await system?.stop();
});

test.serial('a read model that agrees with the log has no difference', async t => {
  const report = await verify(system.source, ALL, { signal: never });
  t.deepEqual(report.named, []);
  t.is(report.differences, 0);
  t.true(report.streams >= 5);
  t.true(report.documents > 500);
});

test.serial('a sample and a single budget can be verified on their own', async t => {
  t.is((await verify(system.source, { stream: null, sample: 2 }, { signal: never })).streams, 2);
  t.is(
    (await verify(system.source, { stream: 'budget-1', sample: null }, { signal: never })).streams,
    1,
  );
  t.is(
    (await verify(system.source, { stream: 'nowhere', sample: null }, { signal: never })).streams,
    0,
  );
});

test.serial(
  'a verification that is stopped in the middle reports that, and no difference',
  async t => {
    const stopping = new AbortController();
    const eventLog = beforeScan(system.source.eventLog, () => stopping.abort(new Error('Stopped')));
    const source = { ...system.source, eventLog };
    const { signal } = stopping;
    await t.throwsAsync(verify(source, ALL, { signal }), { message: 'Stopped' });
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    const context = { source, now: () => new Date(), signal, print, isTerminal: false };
    await t.throwsAsync(invoke(verifyCommand, [], context), {
      message: 'Stopped before all was verified',
    });
    t.deepEqual(printed, ['Verifying the read model']);
  },
);

test.serial('a changed sum is reported with both values, and breaks the law too', async t => {
  const { years } = system.store.collections;
  const year = await years.findOne({ count: { $gt: 0 } });
  const [month = '', increments] = Object.entries(year?.months ?? {})[0] ?? [];
  const field = `months.${month}.cash`;
  await years.updateOne({ _id: year?._id ?? '' }, { $inc: { [field]: 1 } });
  const { named } = await verifyAtRest();
  const found = named.find(({ what }) => what.startsWith('years/'));
  t.is(found?.what, `years/${year?.id} months.${month}.cash`);
  t.is(found?.expected, String(increments?.cash));
  t.is(found?.stored, String((increments?.cash ?? 0) + 1));
  t.true(named.some(({ what }) => what.startsWith('cash')));
  await years.updateOne({ _id: year?._id ?? '' }, { $inc: { [field]: -1 } });
});

test.serial('a changed text, a missing row and an extra row are found', async t => {
  const { rows } = system.store.collections;
  const [changed, missing] = await rows.find().limit(2).toArray();
  if (!changed || !missing) throw new Error('Expected rows');
  await rows.updateOne({ _id: changed._id }, { $set: { search: 'other' } });
  await rows.deleteOne({ _id: missing._id });
  await rows.insertOne({ ...missing, _id: `${missing.set}/invented` });
  const { named } = await verifyAtRest();
  const whats = named.map(({ what }) => what);
  const idOf = ({ _id, set }: typeof changed) => _id.slice(set.length + 1);
  t.true(whats.includes(`rows/${idOf(changed)} search`));
  t.true(whats.includes(`rows/${idOf(missing)}`));
  t.true(whats.includes('rows/invented'));
  t.is(named.find(({ what }) => what === 'rows/invented')?.expected, null);
});

test.serial('a head that is ahead of the log is found', async t => {
  const { heads } = system.store.collections;
  const head = await heads.findOne({ 'budget.name': { $exists: true }, held: null });
  await heads.updateOne({ _id: head?._id ?? '' }, { $inc: { sequence: 1000 } });
  const { named } = await verifyAtRest({ stream: head?._id ?? '', sample: null });
  t.is(named[0]?.what, 'head sequence');
  t.is(named[0]?.stored, String((head?.sequence ?? 0) + 1000));
});
