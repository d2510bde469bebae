// Patches two defects of kafkajs 2.2.4 in its own classes:
// 1. Each connection restarts a timer of 1 ms forever (tulios/kafkajs#1751).
// 2. Two requests on a closed connection open one socket each, and the first socket is never closed.
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

let isPatched = false;

/** Must run before the first connection; further calls change nothing. */
export function patchKafkajs(): void {
  if (isPatched) return;
  isPatched = true;
  const require = createRequire(import.meta.url);
  patchRequestQueue(require('kafkajs/src/network/requestQueue').prototype);
  patchConnection(require('kafkajs/src/network/connection').prototype);
}

function patchRequestQueue(prototype: RequestQueue): void {
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleWhereNeeded() {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
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
