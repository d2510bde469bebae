// Mends two defects of kafkajs 2.2.4 in its own classes:
// 1. Each connection re-arms a timer of 1 ms for ever (tulios/kafkajs#1751).
// 2. Two requests that find a connection closed each open a socket, and the first of the two is never closed again.
import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Milliseconds since the epoch; -1 while nothing is throttled. */
  readonly throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

interface Connection {
  connect(): Promise<boolean>;
}

let isMended = false;

/** Must run before the first connection; running again changes nothing. */
export function mendKafkajs(): void {
  if (isMended) return;
  isMended = true;
  const require = createRequire(import.meta.url);
  mendRequestQueue(require('kafkajs/src/network/requestQueue').prototype);
  mendConnection(require('kafkajs/src/network/connection').prototype);
}

function mendRequestQueue(prototype: RequestQueue): void {
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleWhereNeeded() {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
}

function mendConnection(prototype: Connection): void {
  const { connect } = prototype;
  const connecting = new WeakMap<Connection, Promise<boolean>>();
  prototype.connect = function connectOnce() {
    const underWay = connecting.get(this);
    if (underWay) return underWay;
    const done = connect.call(this).finally(() => connecting.delete(this));
    connecting.set(this, done);
    return done;
  };
}
