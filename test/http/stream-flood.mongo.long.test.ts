// Far more connects than a token may hold open: each is answered, and nothing is left of them.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { openStream } from './stream-client.ts';
import { serveStreams, untilTaken } from './stream-scene.ts';

const mongo = useMongo(test);

test('10,000 connects with one token: 5 streams, the others 429; all places come back', async t => {
  t.timeout(600_000);
  const served = await serveStreams(t, mongo, { name: 'attack_connects' });
  const token = await served.issue('anna');
  const statuses = new Map<number, number>();
  const opened = [];
  for (let round = 0; round < 100; round += 1) {
    const some = Array.from({ length: 100 }, () => openStream(served.origin, token));
    opened.push(...(await Promise.all(some)));
  }
  for (const { status } of opened) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  t.deepEqual(Object.fromEntries(statuses), { 200: 5, 429: 9995 });
  t.is(served.bounds.streams.taken(), 5);
  for (const one of opened) one.close();
  await untilTaken(t, served, 0);
});
