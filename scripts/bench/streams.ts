// Clients of /events for the bench: they read, and do nothing else that would cost this process time.
import { get } from 'node:http';
import type { ReaderRequest } from './load.ts';
import type { Watch } from './watch.ts';

export interface OpenStream {
  close(): void;
}

/** Opens a stream; resolves when its answer has begun. `read` receives its text. */
export function openStream(
  { url, headers = {} }: ReaderRequest,
  read: (text: string) => void = () => {},
): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = get(String(url), { headers, agent: false }, response => {
      if (response.statusCode !== 200) {
        reject(new Error(`Expected 200, got ${response.statusCode}`));
      }
      response.setEncoding('utf8').on('data', read);
      response.on('error', () => {});
      resolve({ close: () => request.destroy() });
    });
    request.on('error', reject);
  });
}

const EVENT = /^event: position\ndata: (\{.*\})$/gm;

interface Waiter {
  readonly sequence: number;
  readonly resolve: (at: number) => void;
}

/** Reports when a stream tells the position of a budget. */
export async function watchStream(asked: ReaderRequest): Promise<Watch> {
  const received = new Map<string, { position: number; at: number }>();
  const waiting = new Map<string, Waiter[]>();
  let rest = '';
  const stream = await openStream(asked, text => {
    const at = performance.now();
    const end = (rest + text).lastIndexOf('\n\n') + 2;
    const whole = (rest + text).slice(0, end);
    rest = (rest + text).slice(end);
    for (const [, data = ''] of whole.matchAll(EVENT)) {
      const { budgetId, position } = JSON.parse(data);
      received.set(budgetId, { position, at });
      const waiters = waiting.get(budgetId) ?? [];
      for (const waiter of waiters) if (waiter.sequence <= position) waiter.resolve(at);
      waiting.set(
        budgetId,
        waiters.filter(({ sequence }) => sequence > position),
      );
    }
  });
  return {
    reached: (budgetId, sequence) =>
      new Promise(resolve => {
        const known = received.get(budgetId);
        if (known && known.position >= sequence) return resolve(known.at);
        waiting.set(budgetId, [...(waiting.get(budgetId) ?? []), { sequence, resolve }]);
      }),
    close: async () => stream.close(),
  };
}
