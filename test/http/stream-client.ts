// A client of /events that collects what it gets.
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StreamEvent {
  readonly event: string;
  readonly budgetId: string;
  readonly position?: number;
}

export interface StreamClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything that came so far. */
  text(): string;
  events(): readonly StreamEvent[];
  /** Resolves to the first event that passes, also one that came before; rejects after a while. */
  told(passes: (event: StreamEvent) => boolean): Promise<StreamEvent>;
  /** Resolves when the server ended the stream, or the connection. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Long, because it only ends a test that fails anyway. */
const PATIENCE_MS = 300_000;

export function openStream(
  origin: string,
  token: string,
  path = '/api/v1/events',
): Promise<StreamClient> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = get(`${origin}${path}`, { headers, agent: false }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const ended = new Promise<void>(done => response.once('close', done));
      const events = () => eventsOf(text);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: () => text,
        events,
        async told(passes) {
          const untilMs = performance.now() + PATIENCE_MS;
          for (;;) {
            const found = events().find(passes);
            if (found !== undefined) return found;
            if (performance.now() > untilMs) throw new Error(`Expected an event, got ${text}`);
            await sleep(5);
          }
        },
        ended,
        close: () => request.destroy(),
      });
    });
    // After the answer began, `ended` tells.
    request.on('error', reject);
  });
}

function eventsOf(text: string): StreamEvent[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 1);
  return whole.split('\n\n').flatMap(block => {
    const fields = new Map(block.split('\n').map(line => line.split(': ', 2) as [string, string]));
    const event = fields.get('event');
    return event === undefined ? [] : [{ event, ...JSON.parse(fields.get('data') ?? '') }];
  });
}

export const at =
  (budgetId: string, position: number) =>
  (event: StreamEvent): boolean =>
    event.event === 'position' && event.budgetId === budgetId && event.position === position;

export const gone =
  (budgetId: string) =>
  (event: StreamEvent): boolean =>
    event.event === 'gone' && event.budgetId === budgetId;
