// Whatever bytes reach a port of a running server, the process goes on: `serve` is a real process with both ports.
import { randomInt } from 'node:crypto';
import test from 'ava';
import { createRandom } from '../../src/process/random.ts';
import { budgeting, type Started } from '../commands/started.ts';
import { eventually } from '../helpers/eventually.ts';
import { type StartedMongo, startOwnMongo } from '../helpers/mongo.ts';
import { askPort, metricsOf } from '../pages/operators/management-scene.ts';
import { sampleValue } from '../pages/operators/prometheus-text.ts';
import { MANNERS, PACKETS, type Packet, randomPacket, sendPacket } from './raw-packets.ts';

/** Repeats a run: the seed that it printed. */
const SEED = Number(process.env.PACKETS_SEED ?? randomInt(2 ** 31));
const RANDOM_PACKETS = 600;
const AT_ONCE = 8;

let mongo: StartedMongo;
let server: Started;
let ports: readonly number[];

test.before(async () => {
  mongo = await startOwnMongo();
  server = budgeting(['serve'], {
    MONGODB_URL: mongo.url,
    PORT: '0',
    RATE_LIMIT_IP_PER_MINUTE: '100000000',
    LOG_LEVEL: 'warn',
  });
  const printed = await server.printed(/Read API +http:\S+/);
  ports = [
    /Read API +http:\/\/127\.0\.0\.1:(\d+)\//,
    /Operators +http:\/\/127\.0\.0\.1:(\d+)\//,
  ].map(pattern => Number(pattern.exec(printed)?.[1]));
});
test.after.always(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
  await mongo?.stop();
});

async function sendAll(packets: readonly Packet[]): Promise<void> {
  const left = packets.entries();
  async function sendSome(): Promise<void> {
    for (const [index, { bytes }] of left) {
      const manner = MANNERS[Math.floor(index / ports.length) % MANNERS.length] ?? 'reset';
      await sendPacket(ports[index % ports.length] ?? 0, bytes, manner);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
}

/** Every packet reaches each port in each manner. */
const EVERY_WAY = PACKETS.flatMap(packet => MANNERS.flatMap(() => [packet, packet]));

for (const [title, packetsOf] of [
  ['known packets', () => EVERY_WAY],
  [
    `random packets, PACKETS_SEED=${SEED}`,
    () => {
      const random = createRandom(SEED);
      return Array.from({ length: RANDOM_PACKETS }, () => randomPacket(random));
    },
  ],
] as const) {
  test.serial(
    `attack: ${title}: both ports still answer, and nothing is logged as our fault`,
    async t => {
      const [api = 0, management = 0] = ports;
      await sendAll(packetsOf());
      t.is(server.child.exitCode, null, server.errors());
      t.is((await fetch(`http://127.0.0.1:${api}/api/v1/openapi.json`)).status, 200);
      t.is((await askPort(management, '/livez')).status, 200);
      t.deepEqual(server.errors().match(/^.*(?:"level":[56]0|Unhandled|Warning).*$/gm) ?? [], []);
      await eventually(t, async tried => {
        const found = await metricsOf(management);
        for (const bound of ['requests', 'pages']) {
          tried.is(sampleValue(found, 'budgeting_bound_taken', { bound }), 0, bound);
        }
      });
    },
  );
}
