// Mends a defect of kafkajs 2.2.4: each connection re-arms a timer of 1 ms for ever (tulios/kafkajs#1751).
import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Milliseconds since the epoch; -1 where nothing is throttled. */
  readonly throttledUntil: number;
}

interface Patched {
  scheduleCheckPendingRequests(this: RequestQueue): void;
  isMended?: true;
}

/** Must run before the first connection; running again changes nothing. */
export function mendRequestQueue(): void {
  const require = createRequire(import.meta.url);
  const { prototype }: { prototype: Patched } = require('kafkajs/src/network/requestQueue');
  if (prototype.isMended) return;
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.isMended = true;
  prototype.scheduleCheckPendingRequests = function scheduleWhereNeeded() {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this);
  };
}
