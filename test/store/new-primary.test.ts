// An answer waits until its primary knows what was shown before, also where two members become primary one after another.
import { EventEmitter } from 'node:events';
import type { Db } from 'mongodb';
import { retriedSnapshot } from '../../src/store/snapshot.ts';
import { test } from '../helpers/file-test.ts';

function replicaSet() {
  const client = new EventEmitter();
  const steps: string[] = [];
  let primary = 'none';
  /** The next member to become primary, while the one before it answers. */
  let following: string | null = null;
  const becomesPrimary = (address: string) => {
    primary = address;
    const server = { type: 'RSPrimary', address, electionId: { toHexString: () => address } };
    const newDescription = { servers: new Map([[address, server]]) };
    client.emit('topologyDescriptionChanged', { newDescription });
  };
  const collection = () => ({
    async findOne() {
      steps.push(`caught up with ${primary}`);
      const next = following;
      following = null;
      if (next !== null) becomesPrimary(next);
    },
  });
  return {
    db: { client, collection } as unknown as Db,
    steps,
    becomesPrimary,
    follows: (address: string) => {
      following = address;
    },
    answer: async () => void steps.push(`answered by ${primary}`),
  };
}

test('a member that becomes primary while its predecessor is waited for is waited for too', async t => {
  const { db, steps, becomesPrimary, follows, answer } = replicaSet();
  // The client's members are followed from its first answer on.
  await retriedSnapshot(db, answer);
  steps.length = 0;
  becomesPrimary('a');
  follows('b');
  await retriedSnapshot(db, answer);
  t.deepEqual(steps, ['caught up with a', 'caught up with b', 'answered by b']);
});
