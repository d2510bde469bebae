// Brokers that go away, come back, or require authentication; they are this file's own.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import anyTest from 'ava';
import { openKafkaLog } from '../../src/event-log/kafka/kafka-log.ts';
import { UserError } from '../../src/process/errors.ts';
import { createLogger } from '../../src/process/log.ts';
import { configOf, kafkaTest, ownKafka, secureConfigOf, topicName } from '../helpers/kafka.ts';
import { memoryLog } from '../http/memory-log.ts';
import { createFencedStore } from './fenced-store.ts';
import { openForTest } from './kafka-log-under-test.ts';
import { LIMITS, readAll, record, records, sorted, until, valuesOf } from './log-under-test.ts';

const test = kafkaTest(anyTest);
const logger = createLogger('silent');
/** Longer than a rebalance of the group, shorter than the broker is away. */
const STILL_MS = 20_000;
const AWAY_MS = 21_000;

test.serial(
  'a subscription survives a broker that goes away and comes back, and nothing is lost or doubled',
  async t => {
    const kafka = await ownKafka();
    t.teardown(kafka.stop);
    const { logger, lines } = memoryLog();
    const config = configOf(kafka.brokers);
    const opened = await openForTest(t, topicName(), {
      config,
      logger,
      writer: true,
      sessionTimeoutMs: 1000,
      stallMsMax: STILL_MS,
    });
    const store = createFencedStore();
    const controller = new AbortController();
    const { signal } = controller;
    const subscriber = store.subscriber('here');
    const run = opened.subscribe(subscriber, { group: 'away', limits: LIMITS, signal });
    await opened.append(records(50));
    await until(() => store.count() === 50, 'all have arrived');
    let asked: Promise<unknown> = Promise.resolve();
    await kafka.restart(async () => {
      asked = opened.bounds(0);
      await delay(AWAY_MS);
    });
    await asked;
    await opened.append(records(50, 50)).catch(() => opened.append(records(50, 50)));
    await until(() => store.count() === 100, 'all have arrived');
    controller.abort();
    await run;
    const applied = [...store.applied.values()].flat();
    t.deepEqual(sorted(applied), sorted(valuesOf(records(100))));
    t.deepEqual(sorted((await readAll(opened)).map(({ value }) => value)), sorted(applied));
    t.true(lines.some(({ msg, level }) => level === 40 && msg.startsWith('Waiting for Kafka: ')));
  },
);

test.serial('a broker that accepts connections and never answers keeps no other away', async t => {
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const kafka = await ownKafka();
  t.teardown(kafka.stop);
  const config = configOf(`127.0.0.1:${port},${kafka.brokers}`);
  const log = await openForTest(t, topicName(), { config, writer: true });
  await log.append(records(3));
  t.is((await readAll(log)).length, 3);
});

test.serial('a log whose broker is away waits for it, or gives up after its limit', async t => {
  // Nothing listens on this port.
  const config = configOf('127.0.0.1:1');
  const stopping = new AbortController();
  const waiting = openKafkaLog(config, topicName(), { logger, signal: stopping.signal });
  await t.throwsAsync(openKafkaLog(config, topicName(), { logger, waitMsMax: 300 }), {
    instanceOf: UserError,
    message: /^Kafka does not answer \(topic test\..*\): /,
  });
  stopping.abort();
  await t.throwsAsync(waiting, { message: /ECONNREFUSED/ });
});

test.serial(
  'PLAIN and both SCRAMs over TLS work; a wrong password and an untrusted certificate are refused',
  async t => {
    const kafka = await ownKafka({ secure: true });
    t.teardown(kafka.stop);
    const { ca = '' } = kafka.secure ?? {};
    const topic = topicName();
    const configWith = (more: NodeJS.ProcessEnv) => secureConfigOf(kafka, more);
    for (const mechanism of ['plain', 'scram-sha-256', 'scram-sha-512']) {
      const variables = { KAFKA_TLS_CA: ca, KAFKA_SASL_MECHANISM: mechanism };
      const config = configWith(variables);
      const opened = await openForTest(t, topic, { config, writer: true });
      await opened.append(records(10));
      const store = createFencedStore();
      const controller = new AbortController();
      const { signal } = controller;
      const subscriber = store.subscriber('here');
      const run = opened.subscribe(subscriber, { group: mechanism, limits: LIMITS, signal });
      await until(() => store.count() >= 10, 'all have arrived');
      controller.abort();
      await run;
      const wrong = configWith({ ...variables, KAFKA_SASL_PASSWORD: 'wrong' });
      await t.throwsAsync(openKafkaLog(wrong, topic, { logger }), {
        instanceOf: UserError,
        message: /check the KAFKA_SASL settings$/,
      });
    }
    await t.throwsAsync(openKafkaLog(configWith({}), topic, { logger, waitMsMax: 100 }), {
      message: /self.signed certificate/,
    });
  },
);

test.serial('an append whose broker goes away says that nothing was appended', async t => {
  const kafka = await ownKafka();
  t.teardown(kafka.stop);
  const log = await openForTest(t, topicName(), { config: configOf(kafka.brokers), writer: true });
  const padding = 'x'.repeat(400_000);
  const large = Array.from({ length: 150 }, (_, n) => record('a', n, { padding }));
  const appending = t.throwsAsync(log.append(large), {
    instanceOf: UserError,
    message: /^Kafka was away during the append \(.+\): nothing was appended; run it again$/,
  });
  await delay(200);
  await kafka.restart(async () => {}, 'SIGKILL');
  await appending;
  t.is((await readAll(log)).length, 0);
  await log.append(records(5));
  t.deepEqual(sorted((await readAll(log)).map(({ value }) => value)), sorted(valuesOf(records(5))));
});
