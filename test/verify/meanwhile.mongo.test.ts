// What happens while a verification reads is no difference; one that is stopped reports none either.
import { verifyCommand } from '../../src/commands/verify.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { verify } from '../../src/verify/verify.ts';
import { invoke } from '../commands/invoke.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { startSystem } from '../system/running-system.ts';

const ALL = { stream: null, sample: null };
const { signal } = new AbortController();

const mongo = useMongo(test);

test('a budget is deleted while it is rebuilt', async t => {
  const system = await startSystem(mongo);
  t.teardown(() => system.stop());
  const eventOf = eventMaker('groceries');
  await system.append([eventOf(CREATED), eventOf(payee('a'))]);
  await system.projected();
  const { eventLog } = system.source;
  const shadowSets = () => system.store.collections.shadowSets.countDocuments();
  const during = async () => {
    t.is(await shadowSets(), 1);
    await system.append([eventOf({ type: 'budget.deleted', data: {} })]);
    await system.projected();
    t.is(await shadowSets(), 1);
    t.deepEqual((await verify(system.source, ALL, { signal })).named, []);
  };
  // A rebuild asks for the bounds when it has begun.
  const watched: EventLog = {
    ...eventLog,
    bounds: async partition => {
      await during();
      return eventLog.bounds(partition);
    },
  };
  const options = { limits: { rowsMax: 1000 }, now: new Date(), signal };
  const rebuild = rebuildStream(system.store, 'groceries', { ...options, eventLog: watched });
  await t.throwsAsync(rebuild, { message: /groceries/ });
  t.is(await shadowSets(), 0);
  t.deepEqual((await verify(system.source, ALL, { signal })).named, []);
});

test('a partition is claimed, and gets its first streams', async t => {
  const system = await startSystem(mongo, { partitions: 1 });
  t.teardown(() => system.stop());
  await system.append([eventMaker('groceries')(CREATED)]);
  await system.projected();
  const { checkpoints } = system.store.collections;
  const checkpoint = await checkpoints.findOneAndDelete({ _id: 0 });
  if (!checkpoint) throw new Error('Expected a checkpoint');
  const { eventLog } = system.source;
  // A verification asks for the partitions after it has read the checkpoints.
  const watched: EventLog = {
    ...eventLog,
    partitions: async () => {
      await checkpoints.replaceOne({ _id: 0 }, checkpoint, { upsert: true });
      return eventLog.partitions();
    },
  };
  const report = await verify({ ...system.source, eventLog: watched }, ALL, { signal });
  t.deepEqual(report.named, []);
  t.is(report.streams, 0);
});

test('a verification that is stopped in the middle reports that, and no difference', async t => {
  const system = await startSystem(mongo);
  t.teardown(() => system.stop());
  await system.append([eventMaker('groceries')(CREATED)]);
  await system.projected();
  const stopping = new AbortController();
  const eventLog = beforeScan(system.source.eventLog, () => stopping.abort(new Error('Stopped')));
  const source = { ...system.source, eventLog };
  const stopped = { signal: stopping.signal };
  await t.throwsAsync(verify(source, ALL, stopped), { message: 'Stopped' });
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const context = { source, now: () => new Date(), ...stopped, print, isTerminal: false };
  await t.throwsAsync(invoke(verifyCommand, [], context), {
    message: 'Stopped before all was verified',
  });
  t.deepEqual(printed, ['Verifying the read model']);
});
