// A short run of chaos; `npm run chaos -- --minutes 30` is the long one.
import anyTest from 'ava';
import { kafkaTest } from '../helpers/kafka.ts';
import { describeResult } from './describe-result.ts';
import { runChaos } from './run-chaos.ts';

const test = kafkaTest(anyTest);
const MINUTES = 1.5;
const SEED = 2;
const KINDS_MIN = 20;
const SCENARIOS = 2;

test('ninety seconds of faults of all kinds and two damaged logs leave the documents of an undisturbed run, and readers answer', async t => {
  t.timeout(1_800_000);
  const report = (line: string) => t.log(line);
  const result = await runChaos({
    minutes: MINUTES,
    seed: SEED,
    kindsMin: KINDS_MIN,
    env: process.env,
    report,
  });
  for (const line of describeResult(result)) t.log(line);
  t.deepEqual(result.differences, []);
  t.true(result.faults.size >= KINDS_MIN, `only ${result.faults.size} kinds took place`);
  t.is(result.scenarios.run.length, SCENARIOS);
  t.true((result.answers.get('200') ?? 0) > 100, 'few reads were answered');
  t.true(result.copies > 0, 'no client that follows /changes holds a copy');
  t.true(result.documents > 500, `only ${result.documents} documents were compared`);
});
