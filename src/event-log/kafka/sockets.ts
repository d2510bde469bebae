// All sockets of a client, so that it can be ended for certain: kafkajs connects anew for whatever was still under
// way when it was told to disconnect, and such a connection would keep the process alive.
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { ISocketFactory } from 'kafkajs';

export interface Sockets {
  readonly factory: ISocketFactory;
  /** Ends what is open, and opens nothing more. */
  end(): void;
}

export function createSockets(): Sockets {
  const create = plainFactory();
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
      // With an error, for kafkajs to tell whoever waits for an answer.
      for (const socket of open) socket.destroy(closed());
    },
  };
}

function closed(): Error {
  return new Error('The client was closed');
}

/** The one that kafkajs uses by itself. */
function plainFactory(): ISocketFactory {
  const require = createRequire(import.meta.url);
  const makeFactory: () => ISocketFactory = require('kafkajs/src/network/socketFactory');
  return makeFactory();
}
