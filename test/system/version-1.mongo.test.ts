// The seven endpoints of version 1 on the sample: every body is, byte for byte, the one of the release before 1.1.
import { createHash } from 'node:crypto';
import test from 'ava';
import { SAMPLE_SEED, SAMPLE_USER, sampleEvents } from '../../src/sample/sample-events.ts';
import { useMongo } from '../helpers/mongo.ts';
import { startSystem } from './running-system.ts';
import expected from './version-1-bodies.json' with { type: 'json' };

const TODAY = '2026-03-15';
const now = () => new Date(`${TODAY}T12:00:00Z`);
const mongo = useMongo(test);
const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('read-api-v1.md, 4: the bodies of the seven endpoints stay byte for byte as they were', async t => {
  t.timeout(180_000);
  const events = [...sampleEvents({ seed: SAMPLE_SEED, today: TODAY })];
  // A sample that changes needs new hashes, made by the code before the change.
  t.is(hashOf(JSON.stringify(events)), expected.events);
  const system = await startSystem(mongo, { now });
  try {
    await system.append(events);
    await system.projected();
    const { token } = await system.tokens.issue({ owner: SAMPLE_USER }, now());
    const found: Record<string, string> = {};
    for (const path of Object.keys(expected.bodies)) {
      const response = await system.get(path, token);
      found[path] = hashOf(new Uint8Array(await response.arrayBuffer()));
    }
    t.deepEqual(found, expected.bodies);
  } finally {
    await system.stop();
  }
});
