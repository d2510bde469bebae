// `rebuild --abandon` as a separate process while the event log does not answer; and `status` of a build.
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { statusCommand } from '../../src/commands/status.ts';
import { systemStatus } from '../../src/projector/operate/system-status.ts';
import { createCollections, generationCollections } from '../../src/store/collections.ts';
import { switched, withNew, withState } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { pauseGeneration, TooManyParkedError } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { type StartedMongo, startOwnMongo } from '../helpers/mongo.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { invoke } from './invoke.ts';
import { budgeting } from './started.ts';

const BEFORE = PROJECTIONS_VERSION - 1;

let mongo: StartedMongo;
test.before(async () => {
  mongo = await startOwnMongo();
});
test.after.always(() => mongo?.stop());

test('a build can be abandoned without its log, and rebuild and status describe it', async t => {
  const run = (...args: string[]) =>
    budgeting(args, { MONGODB_URL: mongo.url, KAFKA_BROKERS: '127.0.0.1:1' }).ended;
  const db = mongo.client.db('budgeting');
  t.like(await run('rebuild', '--abandon'), {
    code: 1,
    out: '',
    err: 'There is no build to give up: no projector has run yet\n',
  });
  const now = new Date();
  await changeRegistry(db, read => {
    const answering = switched(withNew(read, BEFORE, now), 'g1', now);
    const building = withNew(answering, PROJECTIONS_VERSION, now);
    const verified = { done: 20, total: 50 };
    return withState(building, 'g2', { state: 'verifying', verified, waitsFor: 'The test' });
  });
  const lines = await statusLines();
  t.deepEqual(lines.slice(3), [
    'g2: 20 of 50 streams are verified',
    'g2 is not switched to: The test',
  ]);
  await createCollections(db, 'g2');
  const built = generationCollections(db, 'g2');
  await pauseGeneration(built, new TooManyParkedError('20 streams parked', [], 0));
  t.true((await statusLines()).some(line => line.startsWith('g2 is paused')));
  t.like(await run('rebuild', '--abandon'), {
    code: 0,
    out: `Generation g2 (version ${PROJECTIONS_VERSION}) is given up; g1 goes on answering
Version ${PROJECTIONS_VERSION} builds again only when asked to: budgeting rebuild
`,
    err: '',
  });
  t.deepEqual((await statusLines()).slice(3), [
    'g2: Given up by an operator',
    `Version ${PROJECTIONS_VERSION} was rolled back from or given up: budgeting rebuild builds it`,
  ]);
  const both = await run('rebuild', '--abandon', '--budget', 'b');
  t.deepEqual([both.code, both.out], [1, '']);
  t.regex(both.err, /^Expected --budget or --abandon, got both\n/);
});

async function statusLines(): Promise<string[]> {
  const db = mongo.client.db('budgeting');
  const printed: string[] = [];
  await invoke(statusCommand, [], {
    status: async () => systemStatus(db, stubLog(), new Date()),
    print: line => printed.push(line),
  });
  return printed;
}
