// `parked resume`: an operator resumes a paused generation; `status` and `parked list` report the pause.
import { statusCommand } from '../../src/commands/status.ts';
import { UserError } from '../../src/process/errors.ts';
import { systemStatus } from '../../src/projector/operate/system-status.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { pauseGeneration, TooManyParkedError } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { createPartitionScene, type PartitionScene } from '../projector/partition-scene.ts';
import { invoke } from './invoke.ts';
import { answering, printedBy, VERSION } from './parked-scene.ts';

const mongo = useMongo(test);

const REASON = '32 of 67 streams would have been parked within 60 s';
const EXAMPLES = [{ stream: 'budget-1', reason: 'Unknown or deleted account a9' }];

async function scene(generation: string, paused = true): Promise<PartitionScene> {
  const here = await createPartitionScene(mongo.database('resume'), { generation });
  await here.claim();
  const error = new TooManyParkedError(REASON, EXAMPLES, 0);
  if (paused) await pauseGeneration(here.store.collections, error);
  return here;
}

test('resume reports the resumed generations, and afterwards that none is paused', async t => {
  const here = await scene('g1');
  const [first, second, ...more] = await printedBy(['resume'], answering(here));
  t.regex(first ?? '', new RegExp(`^g1 goes on: it was paused since 20[^ ]+Z, as ${REASON}$`));
  t.is(second, 'g1: the alarm is off until no stream has been parked for 60 s');
  t.deepEqual(more, []);
  t.deepEqual(await printedBy(['resume'], answering(here)), ['Nothing is paused']);
  const { checkpoints } = here.store.collections;
  t.false('paused' in ((await checkpoints.findOne({ _id: 0 })) ?? {}));
});

test('resume resumes all paused generations of the program’s version', async t => {
  const [active, built] = [await scene('g1', false), await scene('g2')];
  const building = { id: 'g2', version: VERSION, answers: false, store: built.store };
  const printed = await printedBy(['resume'], answering(active), building);
  t.is(printed.length, 2);
  t.true(printed.every(line => line.startsWith('g2')));
});

test('resume leaves generations of another version paused', async t => {
  const [old, fresh] = [await scene('g1'), await scene('g2')];
  const message = `Generation g1 is of version ${VERSION - 1} of the projections, this program of version ${VERSION}: use the command of the release that made it`;
  const foreign = answering(old, VERSION - 1);
  await t.throwsAsync(printedBy(['resume'], foreign), { instanceOf: UserError, message });
  const building = { id: 'g2', version: VERSION, answers: false, store: fresh.store };
  const printed = await printedBy(['resume'], foreign, building);
  t.is(printed.at(-1), `g1 stays paused. ${message}`);
  t.regex((await printedBy(['list'], foreign)).join('\n'), /^g1 is paused: /);
});

test('status and parked list report that a generation is paused, why, and by which streams', async t => {
  const here = await scene('g1');
  const lines = [
    `g1 is paused: ${REASON}; look at budgeting parked list and the log, then budgeting parked resume`,
    'g1: budget-1 would have been parked: Unknown or deleted account a9',
  ];
  t.deepEqual(await printedBy(['list'], answering(here)), [...lines, 'No stream is held']);
  const [json = ''] = await printedBy(['list', '--json'], answering(here));
  t.like(JSON.parse(json), { streams: [], paused: [{ generation: 'g1', reason: REASON }] });
  const now = new Date();
  const record = { id: 'g1', version: VERSION, state: 'active', startedAt: now } as const;
  const none = {
    activatedAt: now,
    retiredAt: null,
    reason: null,
    verifyingUntil: null,
    waitsFor: null,
  };
  const generations = [{ ...record, ...none }];
  await changeRegistry(here.db, made => ({ ...made, active: 'g1', generations, made: 1 }));
  const status = () => systemStatus(here.db, here.eventLog, now);
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  await invoke(statusCommand, [], { status, print });
  t.deepEqual(printed.slice(2), lines);
  await invoke(statusCommand, ['--json'], { status, print });
  const { paused } = JSON.parse(printed.at(-1) ?? '').generations[0];
  t.like(paused, { reason: REASON, examples: EXAMPLES });
});
