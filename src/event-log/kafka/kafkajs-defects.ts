// Makes up for defects of kafkajs 2.2.4. Nine are patched in its own modules:
// 1. Each connection restarts a timer of 1 ms forever (tulios/kafkajs#1751).
// 2. Two requests on a closed connection open one socket each, and the first socket is never closed.
// 3. Requests time out by the wall clock: where it is set back, a request that got lost is waited for as long.
// 4. Whatever keeps brokers from naming a coordinator, missing rights too, is reported as a coordinator that was not found.
// 5. A partition without a leader makes the metadata of all partitions an error.
// 6. A member sends no heartbeat for as long as the clock was set back.
// 7. A broker that accepts a connection and answers nothing on it is tried again, instead of the next address.
// 8. A batch of more than about 120,000 records has no room on the stack, as arguments of one call.
// 9. A record with very many headers takes minutes or hours: all of them are copied for each.
// All sockets of a client are tracked, so that all can be closed: kafkajs reconnects for requests that are in progress when
// it disconnects, and such a connection would keep the process alive.
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';
import { patchDecoding } from './record-batches.ts';

interface SentRequest {
  /** In milliseconds. */
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

interface RequestQueue {
  readonly inflight: ReadonlyMap<number, SentRequest>;
  readonly enforceRequestTimeout: boolean;
  requestTimeoutIntervalId: NodeJS.Timeout | null;
  scheduleRequestTimeoutCheck(): void;
  isConnected(): boolean;
  /** Stops the checks. */
  destroy(): void;
  readonly pending: readonly unknown[];
  /** Milliseconds since the epoch; -1 while nothing is throttled. */
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

interface Connection {
  connect(): Promise<boolean>;
}

interface BrokerPool {
  /** Returns null where no broker answers; their errors are lost. */
  withBroker<T>(ask: (broker: unknown) => Promise<T>): Promise<T | null>;
}

interface Broker {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

interface ConsumerGroup {
  /** Milliseconds since the epoch. */
  lastRequest: number;
  heartbeat(options: object): Promise<void>;
  /** Asks for the offsets of the group, which this program reads from nowhere. */
  seekOffsets(): Promise<void>;
}

interface Metadata {
  readonly topicMetadata: readonly { readonly topicErrorCode: number }[];
}

interface MetadataResponse {
  parse(data: Metadata): Promise<Metadata>;
}

/** Of the requests for metadata. */
const METADATA_VERSIONS = [0, 1, 2, 3, 4, 5, 6];
const TIMEOUT_CHECK_MS = 100;
const REFUSED_RIGHTS = /_AUTHORIZATION_FAILED$/;

let isPatched = false;

/** Must run before the first connection; further calls change nothing. */
export function patchKafkajs(): void {
  if (isPatched) return;
  isPatched = true;
  const require = createRequire(import.meta.url);
  patchRequestQueue(require('kafkajs/src/network/requestQueue').prototype);
  patchConnection(require('kafkajs/src/network/connection').prototype);
  patchBrokerPool(require('kafkajs/src/cluster/brokerPool').prototype);
  patchConsumerGroup(require('kafkajs/src/consumer/consumerGroup').prototype);
  patchBroker(
    require('kafkajs/src/broker').prototype,
    require('kafkajs/src/errors').KafkaJSConnectionError,
  );
  patchDecoding(require);
  const errors: Errors = require('kafkajs/src/protocol/error');
  for (const version of METADATA_VERSIONS) {
    patchMetadata(require(`kafkajs/src/protocol/requests/metadata/v${version}/response`), errors);
  }
}

function patchBroker(prototype: Broker, ConnectionError: new (message: string) => Error): void {
  const { connect } = prototype;
  prototype.connect = async function connectOrPassOn() {
    try {
      await connect.call(this);
    } catch (error) {
      const { name, message } = error as Error;
      if (name !== 'KafkaJSRequestTimeoutError') throw error;
      // kafkajs would take the open connection for a good one.
      await this.disconnect();
      throw new ConnectionError(message);
    }
  };
}

interface Errors {
  failure(code: number): boolean;
  createErrorFromCode(code: number): Error;
}

function patchMetadata(response: MetadataResponse, { failure, createErrorFromCode }: Errors): void {
  // A request that needs the leader of such a partition finds no broker for it, and is tried again.
  response.parse = async function parseTopics(data) {
    const failed = data.topicMetadata.find(({ topicErrorCode }) => failure(topicErrorCode));
    if (failed) throw createErrorFromCode(failed.topicErrorCode);
    return data;
  };
}

function patchConsumerGroup(prototype: ConsumerGroup): void {
  // The consumer fetches nothing. Where a partition has no leader it would ask again and again, without a pause.
  prototype.seekOffsets = async () => {};
  const { heartbeat } = prototype;
  prototype.heartbeat = function heartbeatByAnyClock(options) {
    if (this.lastRequest > Date.now()) this.lastRequest = 0;
    return heartbeat.call(this, options);
  };
}

function patchRequestQueue(prototype: RequestQueue): void {
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleWhereNeeded() {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function scheduleByMonotonicClock() {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    const sinceMs = new WeakMap<SentRequest, number>();
    this.requestTimeoutIntervalId = setInterval(() => {
      const nowMs = performance.now();
      for (const request of this.inflight.values()) {
        const since = sinceMs.get(request) ?? nowMs;
        sinceMs.set(request, since);
        if (nowMs - since > request.requestTimeout) request.timeoutRequest();
      }
      if (!this.isConnected()) this.destroy();
    }, TIMEOUT_CHECK_MS);
  };
}

function patchConnection(prototype: Connection): void {
  const { connect } = prototype;
  const connecting = new WeakMap<Connection, Promise<boolean>>();
  prototype.connect = function connectOnce() {
    const current = connecting.get(this);
    if (current) return current;
    const done = connect.call(this).finally(() => connecting.delete(this));
    connecting.set(this, done);
    return done;
  };
}

function patchBrokerPool(prototype: BrokerPool): void {
  const { withBroker } = prototype;
  prototype.withBroker = async function withBrokerOrRefusal<T>(
    ask: (broker: unknown) => Promise<T>,
  ) {
    let refusal: unknown;
    const answer = await withBroker.call(this, async broker => {
      try {
        return await ask(broker);
      } catch (error) {
        if (REFUSED_RIGHTS.test((error as { type?: string }).type ?? '')) refusal = error;
        throw error;
      }
    });
    if (answer === null && refusal !== undefined) throw refusal;
    return answer as T | null;
  };
}

export interface Sockets {
  readonly factory: ISocketFactory;
  /** Closes all open sockets and opens no more. */
  end(): void;
}

export function createSockets(): Sockets {
  const create = defaultFactory();
  const open = new Set<Socket>();
  let ended = false;
  return {
    factory(options) {
      if (ended) throw closed();
      const socket = create(options);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    end() {
      ended = true;
      // The error makes kafkajs reject the pending requests.
      for (const socket of open) socket.destroy(closed());
    },
  };
}

function closed(): Error {
  return new Error('The client was closed');
}

/** Returns the factory that kafkajs uses by default. */
function defaultFactory(): ISocketFactory {
  const require = createRequire(import.meta.url);
  const makeFactory: () => ISocketFactory = require('kafkajs/src/network/socketFactory');
  return makeFactory();
}
