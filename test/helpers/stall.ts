// A process that stalls while its answer arrives.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { ExecutionContext } from 'ava';

/** Sends over a real connection. The answer arrives at once, and resolves when the process reads it. */
export async function answeringSocket(t: ExecutionContext) {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[far]] = await Promise.all([once(server, 'connection'), once(near, 'connect')]);
  t.teardown(() => {
    far.destroy();
    near.destroy();
  });
  return async (answer: string): Promise<string> => {
    far.write(answer);
    const [read] = await once(near, 'data');
    return String(read);
  };
}

/** Blocks the process: nothing is read, and no timer runs. */
export function stall(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}
