// A budget with damaged documents is rebuilt from the log, while everything else continues.
import { UserError } from '../../src/process/errors.ts';
import { listHeld } from '../../src/projector/operate/parked.ts';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { StaleError } from '../../src/store/database-errors.ts';
import { PAUSES_MS } from '../../src/verify/source.ts';
import { verify } from '../../src/verify/verify.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { type RunningSystem, startSystem } from '../system/running-system.ts';
import { committing } from './committing.ts';

const LIMITS = { rowsMax: 20_000 };
const never = new AbortController().signal;

const mongo = useMongo(test);
let system: RunningSystem;

test.before(async () => {
  system = await startSystem(mongo);
  const sizes = { events: 1500, budgets: 3, spaces: 1, users: 2 };
  await system.append(eventsOf(randomHistory({ seed: 5, ...sizes, invalidShare: 0.003 })));
  await system.projected();
});

mongo.beforeStop(async () => {
  await system?.stop();
});

/** @param pausesMs before looking again at what differs */
async function differences(pausesMs = PAUSES_MS): Promise<number> {
  const source = { ...system.source, pausesMs };
  return (await verify(source, { stream: null, sample: null }, { signal: never })).differences;
}

function rebuild(budget: string, onHold = () => {}) {
  return rebuildStream(system.store, budget, {
    eventLog: system.source.eventLog,
    limits: LIMITS,
    now: new Date(),
    signal: never,
    onHold,
  });
}

test.serial('verification finds the damage, and rebuild --budget repairs it', async t => {
  const { accounts, rows, tombstones, heads, sweeps, shadowSets } = system.store.collections;
  const head = await heads.findOne({ 'budget.lastDate': { $ne: null }, set: { $ne: null } });
  const budget = head?._id ?? '';
  await accounts.updateMany({ set: head?.set ?? '' }, { $inc: { cleared: 500 } });
  await rows.deleteOne({ set: head?.set ?? '' });
  await rows.updateOne({ set: head?.set ?? '' }, { $inc: { changed: 1 } });
  t.is(
    (await tombstones.updateOne({ set: head?.set ?? '' }, { $inc: { changed: 1 } })).modifiedCount,
    1,
  );
  t.true((await differences([])) > 0);
  const heldBefore = await listHeld(system.store);
  const after = await rebuild(budget);
  t.is(after?.sequence, head?.sequence);
  t.not(after?.set, head?.set);
  t.is(await differences(), 0);
  t.is(await rows.countDocuments({ set: head?.set ?? '' }), 0, 'the old set is swept');
  t.is(await tombstones.countDocuments({ set: head?.set ?? '' }), 0);
  t.true((await tombstones.countDocuments({ set: after?.set ?? '' })) > 0);
  t.is(await shadowSets.countDocuments(), 0);
  t.is(await sweeps.countDocuments(), 0);
  t.deepEqual(await listHeld(system.store), heldBefore, 'held streams stay held');
});

test.serial('a parked stream stays parked', async t => {
  const [parked] = (await listHeld(system.store)).filter(head => head.budget !== null);
  if (!parked) throw new Error('Expected a parked budget');
  const after = await rebuild(parked.id);
  t.deepEqual(after?.held, parked.held);
  t.is(await differences(), 0);
});

test.serial('a rebuild takes over from one that was killed', async t => {
  const { heads, shadowSets, rows } = system.store.collections;
  const head = await heads.findOne({ held: null, set: { $ne: null } });
  const budget = head?._id ?? '';
  const left = { owner: 'rebuild gone', set: '9-9.left', begun: true, cursor: '1', absolute: 0 };
  await shadowSets.insertOne({
    _id: budget,
    kind: 'rebuild',
    partition: head?.partition ?? 0,
    ...left,
  });
  const held = {
    since: '2026-01-01T00:00:00.000Z',
    why: 'change',
    reason: 'x',
    queued: 0,
  } as const;
  await heads.updateOne({ _id: budget }, { $set: { held } });
  const some = await rows.findOne();
  if (some) await rows.insertOne({ ...some, _id: '9-9.left/t', set: '9-9.left' });
  const after = await rebuild(budget);
  t.is(after?.held, null);
  t.is(await rows.countDocuments({ set: '9-9.left' }), 0);
  t.is(await differences(), 0);
});

test.serial('a rebuild that is stopped in the middle leaves the budget unchanged', async t => {
  const { heads, shadowSets } = system.store.collections;
  const before = await heads.findOne({ set: { $ne: null } });
  const stopping = new AbortController();
  const { signal } = stopping;
  const eventLog = beforeScan(system.source.eventLog, () => stopping.abort(new Error('Stopped')));
  const budget = before?._id ?? '';
  const rebuilding = rebuildStream(system.store, budget, {
    eventLog,
    limits: LIMITS,
    now: new Date(),
    signal,
  });
  const message = `Stopped: budget ${budget} is as it was`;
  await t.throwsAsync(rebuilding, { instanceOf: UserError, message });
  t.deepEqual(await heads.findOne({ _id: budget }), before);
  t.is(await shadowSets.countDocuments(), 0);
});

const TAKEN = (budget: string) =>
  `Somebody else is rebuilding budget ${budget} right now; wait until that is done`;

const CHANGED = (budget: string) =>
  `Budget ${budget} was rebuilt, changed or deleted by somebody else meanwhile, or its generation was dropped; run it again if it is needed`;

test.serial(
  'one of two rebuilds of a budget succeeds, and the other is refused in one line',
  async t => {
    const head = await system.store.collections.heads.findOne({ held: null, set: { $ne: null } });
    const budget = head?._id ?? '';
    const eventLog = beforeScan(system.source.eventLog, async () => {
      t.is((await rebuild(budget))?.held, null);
    });
    const first = rebuildStream(system.openStore(), budget, {
      eventLog,
      limits: LIMITS,
      now: new Date(),
      signal: never,
    });
    await t.throwsAsync(first, { instanceOf: UserError, message: CHANGED(budget) });
    t.is(await differences(), 0);
  },
);

test.serial(
  'one of several simultaneous rebuilds succeeds, and the others are refused without a stack trace',
  async t => {
    const { heads, shadowSets } = system.store.collections;
    const head = await heads.findOne({ held: null, set: { $ne: null } });
    const budget = head?._id ?? '';
    const open = system.openStore;
    const runs = Array.from({ length: 4 }, () =>
      rebuildStream(open(), budget, {
        eventLog: system.source.eventLog,
        limits: LIMITS,
        now: new Date(),
        signal: never,
      }),
    );
    const outcomes = await Promise.allSettled(runs);
    const reasons = outcomes.map(one => (one.status === 'fulfilled' ? '' : `${one.reason?.stack}`));
    t.true(reasons.includes(''), reasons.join('\n'));
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      t.true(outcome.reason instanceof UserError, String(outcome.reason));
      t.true([TAKEN(budget), CHANGED(budget)].includes(outcome.reason.message));
    }
    t.is((await heads.findOne({ _id: budget }))?.held, null);
    t.is(await shadowSets.countDocuments(), 0);
    t.is(await differences(), 0);
  },
);

test.serial('events that arrive during a rebuild wait, and are applied after it', async t => {
  const { heads } = system.store.collections;
  const head = await heads.findOne({ held: null, set: { $ne: null } });
  const [budget, sequence] = [head?._id ?? '', head?.sequence ?? 0];
  const eventLog = beforeScan(system.source.eventLog, async () => {
    const event = eventMaker(budget)(payee(`payee-of-${sequence}`));
    const next = { ...event, id: 'meanwhile', sequence: sequence + 1 };
    await system.append([next]);
    await system.projected();
  });
  const after = await rebuildStream(system.store, budget, {
    eventLog,
    limits: LIMITS,
    now: new Date(),
    signal: never,
  });
  t.like(after, { sequence: sequence + 1, held: null });
  t.is(await differences(), 0);
});

test.serial('a rebuild obeys a decision that came after its event had been applied', async t => {
  const budget = 'budget-decided';
  const [eventOf, { decisions }] = [eventMaker(budget), system.store];
  await system.append([CREATED, payee('a'), payee('b')].map(draft => eventOf(draft)));
  await system.projected();
  await decisions.remember({ subject: budget, sequence: 2, eventId: `${budget}.2` }, new Date());
  t.true((await differences([])) > 0);
  t.like(await rebuild(budget), { sequence: 3, skipped: [[2, 2]] });
  t.is(await differences(), 0);
});

test.serial('a rebuild also mends which event was the last', async t => {
  const budget = 'budget-last';
  const eventOf = eventMaker(budget);
  await system.append([CREATED, payee('a')].map(draft => eventOf(draft)));
  await system.projected();
  const { heads } = system.store.collections;
  await heads.updateOne({ _id: budget }, { $set: { eventId: 'another' } });
  t.true((await differences([])) > 0);
  t.like(await rebuild(budget), { sequence: 2, eventId: `${budget}.2` });
  t.is(await differences(), 0);
});

test.serial('a rebuild that learns of none of its commits goes on with what is stored', async t => {
  const { heads } = system.store.collections;
  const head = await heads.findOne({ held: null, set: { $ne: null } });
  const store = committing(system.openStore(), async (_, pass) => {
    await pass();
    throw new StaleError('The answer got lost');
  });
  const after = await rebuildStream(store, head?._id ?? '', {
    eventLog: system.source.eventLog,
    limits: LIMITS,
    now: new Date(),
    signal: never,
  });
  t.like(after, { sequence: head?.sequence, held: null });
  t.not(after?.set, head?.set);
  t.is(await differences(), 0);
});

test.serial('an unknown budget, and a space, are refused, and are not said to be held', async t => {
  let holds = 0;
  const onHold = () => {
    holds += 1;
  };
  const message = 'Unknown or deleted budget nowhere';
  await t.throwsAsync(rebuild('nowhere', onHold), { message });
  t.is(holds, 0);
  await rebuild('budget-last', onHold);
  t.is(holds, 1);
  await t.throwsAsync(rebuild('space-1'), { message: 'Unknown or deleted budget space-1' });
});
