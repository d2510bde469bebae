// The endpoints of versions 1.0 and 1.1 on the sample: every body is, byte for byte, the one of the release before the next
// version.
import { createHash } from 'node:crypto';
import { SAMPLE_SEED, SAMPLE_USER, sampleEvents } from '../../src/sample/sample-events.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { type RunningSystem, startSystem } from './running-system.ts';
import version11 from './version-1-1-bodies.json' with { type: 'json' };
import version10 from './version-1-bodies.json' with { type: 'json' };

const TODAY = '2026-03-15';
const now = () => new Date(`${TODAY}T12:00:00Z`);
const mongo = useMongo(test);
const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let system: RunningSystem;
let token: string;

test.before(async () => {
  system = await startSystem(mongo, { now });
  await system.append([...sampleEvents({ seed: SAMPLE_SEED, today: TODAY })]);
  await system.projected();
  ({ token } = await system.tokens.issue({ owner: SAMPLE_USER }, now()));
});

mongo.beforeStop(async () => {
  await system?.stop();
});

/** Returns the hashes of the bodies of some paths. */
async function hashes(
  paths: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of Object.keys(paths)) {
    const response = await system.get(path, token, headers);
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
    found[path] = hashOf(new Uint8Array(await response.arrayBuffer()));
  }
  return found;
}

test('the sample is the one that the bodies were made of', t => {
  const events = [...sampleEvents({ seed: SAMPLE_SEED, today: TODAY })];
  // A sample that changes needs new hashes, made by the code before the change.
  t.is(hashOf(JSON.stringify(events)), version10.events);
});

test('rules/api.md#version-11: the bodies of the seven endpoints stay byte for byte as they were', async t => {
  t.deepEqual(await hashes(version10.bodies), version10.bodies);
});

test('rules/api.md#version-12: the bodies of version 1.1 stay byte for byte as they were', async t => {
  t.deepEqual(await hashes(version11.bodies), version11.bodies);
  t.deepEqual(await hashes(version11.csv, { accept: 'text/csv' }), version11.csv);
});
