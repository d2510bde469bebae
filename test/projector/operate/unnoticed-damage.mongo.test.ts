// `status` compares the log with the checkpoints by itself: a log that was made again while no projector runs may be as
// long as the one that was projected.
import type { EventLog } from '../../../src/event-log/event-log.ts';
import { withDamage } from '../../../src/projector/operate/damage.ts';
import { systemStatus } from '../../../src/projector/operate/system-status.ts';
import { test } from '../../helpers/file-test.ts';
import { ensureGeneration } from '../../helpers/generation.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { payee } from '../../model/scene.ts';
import { CREATED, eventMaker } from '../../projections/story.ts';
import { placedLog } from '../log-in-memory.ts';
import { createPlacedProjector } from '../placed-projector.ts';

const mongo = useMongo(test);

const logOf = (partitions: number, subject: string) => {
  const eventOf = eventMaker(subject);
  const drafts = [CREATED, payee('shop'), payee('cafe')];
  return placedLog(
    partitions,
    drafts.map(draft => [0, subject, eventOf(draft)]),
  );
};

test('a log of the same length that was made again, and one with more partitions, are named', async t => {
  const db = mongo.database('unnoticed');
  const generation = await ensureGeneration(db);
  const whole = logOf(1, 'budget-1');
  await (await createPlacedProjector(db, generation, whole)).apply(0);
  const statusOf = async (eventLog: EventLog) =>
    (await withDamage(db, eventLog, await systemStatus(db, eventLog, new Date()))).generations[0];
  t.like(await statusOf(whole), { applied: 3, total: 3, damaged: [] });
  const damage = 'DATA_LOSS in the placed log, partition 0: ';
  t.like(await statusOf(logOf(1, 'budget-2')), {
    applied: 3,
    total: 3,
    damaged: [`${damage}the record at offset 0 is not the one that was applied`],
  });
  t.like(await statusOf(logOf(2, 'budget-1')), {
    damaged: [`${damage}expected 1 partitions, got 2`],
  });
});
