// Tracks all sockets of a client, so that all can be closed: kafkajs reconnects for requests that are in progress when
// it disconnects, and such a connection would keep the process alive.
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';

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
