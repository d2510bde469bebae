// Mends a defect of kafkajs 2.2.4: two requests that find a connection closed each open a socket, and the first of
// the two is never closed again (an unfinished `connect` is not shared).
import { createRequire } from 'node:module';

interface Patched {
  connect(): Promise<boolean>;
  isShared?: true;
}

/** Must run before the first connection; running again changes nothing. */
export function mendConnect(): void {
  const require = createRequire(import.meta.url);
  const { prototype }: { prototype: Patched } = require('kafkajs/src/network/connection');
  if (prototype.isShared) return;
  const { connect } = prototype;
  const connecting = new WeakMap<Patched, Promise<boolean>>();
  prototype.isShared = true;
  prototype.connect = function connectOnce() {
    const under = connecting.get(this);
    if (under) return under;
    const done = connect.call(this).finally(() => connecting.delete(this));
    connecting.set(this, done);
    return done;
  };
}
