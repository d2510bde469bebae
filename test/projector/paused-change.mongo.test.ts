// The writing of a shadow set waits while its generation is paused.
import { drain } from '../../src/projector/queue/drain.ts';
import { writeShadowSet } from '../../src/projector/shadow/write-shadow-set.ts';
import {
  PausedError,
  pauseGeneration,
  resumeGeneration,
  TooManyParkedError,
} from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, row } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { applyChunk } from './apply-chunk.ts';
import { beforeCommit } from './committing.ts';
import { createPartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

test('no step of a big change is written while the generation is paused', async t => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const scene = await createPartitionScene(mongo.database('paused'), { signal });
  const eventOf = eventMaker('budget-1');
  const rows = Array.from({ length: 10 }, (_, index) => row(`row-${index}`));
  await scene.tell(...[CREATED, account('home', true), ...rows].map(draft => eventOf(draft)));
  const renamed = { type: 'account.renamed', data: { accountId: 'home', name: 'House' } } as const;
  scene.eventLog.add(eventOf(renamed));
  const claimed = await scene.claim();
  // Stops the scene's runner of shadow sets, so that only this test works on the change.
  stopping.abort();
  const { store } = scene;
  const chunk = { records: scene.eventLog.records.slice(claimed.next), next: claimed.next + 1 };
  const limits = { rowsMax: 5, tooMuch: 'too many rows' };
  const { shadowed } = await applyChunk(store, chunk, { claim: claimed, limits });
  t.deepEqual(shadowed, ['budget-1']);
  const before = await store.collections.shadowSets.find().toArray();
  const paused = beforeCommit(store, () =>
    pauseGeneration(store.collections, new TooManyParkedError('many', [], 0)),
  );
  const { signal: running } = new AbortController();
  const options = { owner: claimed.owner, signal: running };
  const run = () => writeShadowSet(paused, 'budget-1', options);
  // The pause comes after the step has read what it changes.
  await t.throwsAsync(run, { instanceOf: PausedError, message: 'many' });
  t.deepEqual(await store.collections.shadowSets.find().toArray(), before);
  await resumeGeneration(store.collections);
  t.is(await run(), 'done');
  await drain({ ...scene.context, limits }, 'budget-1');
  t.like(await scene.head('budget-1'), { sequence: 13, held: null });
});
