// `status` reports faults of the log with the wording of docs/operations.md.
import { readFileSync } from 'node:fs';
import test from 'ava';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { statusCommand } from '../../src/commands/status.ts';
import type { SystemStatus } from '../../src/projector/operate/system-status.ts';
import { AT, generation, partition } from '../pages/operators/snapshot-of.ts';
import { invoke } from './invoke.ts';

const page = readFileSync('docs/operations.md', 'utf8');

async function printed(status: Partial<SystemStatus>): Promise<string[]> {
  const lines: string[] = [];
  const whole = {
    active: 'g1',
    generations: [],
    rejectedVersions: [],
    settingsProblem: null,
    hidden: [],
  };
  await invoke(statusCommand, [], {
    status: async () => ({ ...whole, ...status }),
    print: line => lines.push(line),
  });
  return lines;
}

test('a halted partition is printed with its reason and the remedy', async t => {
  const reason =
    'DATA_LOSS in topic budgeting.events, partition 3: expected the log to begin at offset 0, got offset 480';
  const halted = { ...partition(3, 500, 600), halted: { at: AT, reason } };
  const lines = await printed({
    generations: [generation('g1', [partition(0, 5, 5), halted])],
  });
  const [first = '', wayOut = ''] = lines.slice(2);
  t.is(first, `g1: partition 3 is halted: ${reason}`);
  t.is(lines.length, 4);
  for (const line of [first, wayOut]) t.true(page.includes(`\n${line}\n`), line);
});

test('raised partitions, and damage that no projector has noticed, are printed with their ways out', async t => {
  const damaged = [
    'DATA_LOSS in topic budgeting.events, partition 0: expected 12 partitions, got 24',
  ];
  const lines = await printed({
    generations: [generation('g1', [partition(0, 15, 15)], { damaged })],
  });
  t.is(lines[2], `g1: ${damaged[0]}`);
  t.true(page.includes(`\n${lines[3]}\n`), lines[3]);
  t.is(lines.length, 4);
});

test('a version that waits for the end of a rollback window is named with the way out', async t => {
  const before = (id: string, state: 'active' | 'retired') =>
    generation(id, [partition(0, 5, 5)], { version: PROJECTIONS_VERSION - 1, state });
  const generations = [before('g1', 'retired'), before('g2', 'active')];
  const line = `Version ${PROJECTIONS_VERSION} is built once the rollback window of g1 is over: budgeting rebuild builds it now`;
  t.is((await printed({ active: 'g2', generations })).at(-1), line);
  const rejected = { rejectedVersions: [PROJECTIONS_VERSION] };
  t.false((await printed({ active: 'g2', generations, ...rejected })).includes(line));
  t.false((await printed({ active: 'g2', generations: generations.slice(1) })).includes(line));
});

test('a version that was rolled back from is named with the image that builds it again', async t => {
  const version = PROJECTIONS_VERSION - 1;
  const generations = [generation('g1', [partition(0, 5, 5)])];
  t.deepEqual((await printed({ generations, rejectedVersions: [version, version + 1] })).slice(2), [
    `Version ${version} was rolled back from or given up: budgeting rebuild from an image of version ${version} builds it`,
    `Version ${version + 1} was rolled back from or given up: budgeting rebuild builds it`,
  ]);
});

test('an open transaction is printed, because no lag shows', async t => {
  const hidden = [{ partition: 3, from: 40, offsets: 12 }];
  const lines = await printed({ generations: [generation('g1', [partition(3, 40, 40)])], hidden });
  t.regex(lines[2] ?? '', /^partition 3: 12 offsets from 40 on are hidden by a transaction/);
});

test('an unknown type that is nearly a known one is printed, with what is probably meant', async t => {
  const nearTypes = [
    { type: 'com.example.payee.added\u001b', known: 'payee.added', partition: 3, offset: 12 },
  ];
  const lines = await printed({
    generations: [generation('g1', [partition(3, 40, 40)], { nearTypes })],
  });
  t.is(
    lines[2],
    'g1: events of type com.example.payee.added\\u001b are ignored, because it is unknown; is payee.added meant? (first at partition 3, offset 12)',
  );
});

test('quarantined records are counted, and the last of them is printed', async t => {
  const quarantinedRecords = [
    {
      partition: 3,
      offset: 5160,
      reason: "Expected the subject groceries to be the record's key, got no key",
    },
    {
      partition: 0,
      offset: 871,
      reason:
        'Expected a record of groceries in partition 3, which murmur2 of its key names, got it at offset 871 of partition 0: set the partitioner of its producer to murmur2 (librdkafka: partitioner=murmur2_random)',
    },
  ];
  const lines = await printed({
    generations: [generation('g1', [], { quarantined: 2, quarantinedRecords })],
  });
  t.is(lines.length, 5);
  for (const line of lines.slice(2)) t.true(page.includes(`\n${line}\n`), line);
});

test('settings that would lose events are reported', async t => {
  const settingsProblem = 'Topic budgeting.events would lose events: expected …';
  const lines = await printed({ generations: [generation('g1', [])], settingsProblem });
  t.true(lines.includes(settingsProblem));
});
