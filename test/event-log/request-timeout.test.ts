// A request to Kafka that gets no answer times out, however the clock of the machine is set meanwhile.
import { createRequire } from 'node:module';
import { patchKafkajs } from '../../src/event-log/kafka/kafkajs-defects.ts';
import { test } from '../helpers/file-test.ts';

const DAY_MS = 86_400_000;

interface Queue {
  push(request: object): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

/** Returns how a request ends that gets no answer, while `meanwhile` happens. */
function endOfRequest(meanwhile: () => void): Promise<unknown> {
  patchKafkajs();
  const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue');
  const queue: Queue = new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 200,
    enforceRequestTimeout: true,
    clientId: 'test',
    broker: 'none',
    logger: { debug() {}, warn() {}, error() {} },
  });
  return new Promise((resolve, reject) => {
    const api = { correlationId: 1, apiKey: 3, apiName: 'Metadata', apiVersion: 6 };
    const entry = { ...api, resolve: reject, reject: resolve };
    queue.push({ entry, expectResponse: true, sendRequest() {} });
    queue.scheduleRequestTimeoutCheck();
    meanwhile();
  }).finally(() => queue.destroy());
}

for (const [how, jumpMs] of [
  ['goes on', 0],
  ['is set back by a day', -DAY_MS],
] as const) {
  test.serial(`a request times out while the clock ${how}`, async t => {
    const { now } = Date;
    t.teardown(() => {
      Date.now = now;
    });
    const end = await endOfRequest(() => {
      Date.now = () => now() + jumpMs;
    });
    t.regex(String(end), /Request Metadata\(key: 3, version: 6\) timed out/);
  });
}
