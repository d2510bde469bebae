// A server whose cache is too small for the rows of one event refuses it again and again, as a conflict: the event becomes a
// big change, and other streams go on.
import { test } from '../helpers/file-test.ts';
import { account, payee, row } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { pipelineOf } from './hand-over.ts';
import { createPartitionScene } from './partition-scene.ts';
import { handRest } from './sharing-scene.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
const serially = test.serial;

const ROWS = 1200;
const CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };

function mergeStory(): {
  readonly rows: object[];
  readonly merged: object;
  readonly other: object;
} {
  const eventOf = eventMaker('budget-1');
  const rows = Array.from({ length: ROWS }, (_, index) => row(`row-${index}`, { payeeId: 'shop' }));
  const drafts = [CREATED, account('home', true), payee('shop'), payee('market'), ...rows];
  return {
    rows: drafts.map(draft => eventOf(draft)),
    merged: eventOf({ type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'market' } }),
    other: eventMaker('budget-2')(CREATED),
  };
}

async function sceneBefore({ rows, merged, other }: ReturnType<typeof mergeStory>) {
  const database = mongo.database('refused');
  const scene = await createPartitionScene(database, { client: mongo.harmed, rowsMax: 2000 });
  await scene.tell(...rows);
  scene.eventLog.add(merged, other);
  return { scene, pipeline: await pipelineOf(scene), from: rows.length };
}

serially('an event that the server refuses twice becomes a big change', async t => {
  const { scene, pipeline, from } = await sceneBefore(mergeStory());
  await mongo.fail(2, ['update'], CONFLICT);
  await handRest(pipeline, scene, from);
  await scene.context.shadowSets.idle();
  const set = `0-${from}`;
  t.like(await scene.head('budget-1'), { set, sequence: from + 1, held: null });
  t.like(await scene.head('budget-2'), { sequence: 1, held: null });
  const { rows } = scene.store.collections;
  t.is(await rows.countDocuments({ set }), ROWS);
});

serially('an event that it refuses once stays part of its chunk', async t => {
  const { scene, pipeline, from } = await sceneBefore(mergeStory());
  await mongo.fail(1, ['update'], CONFLICT);
  await handRest(pipeline, scene, from);
  await scene.context.shadowSets.idle();
  t.like(await scene.head('budget-1'), { set: '0-0', sequence: from + 1, held: null });
});
