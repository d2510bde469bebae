// A client of /events that connects again to one reader or another whenever its stream ends or falls silent.
import { setTimeout as sleep } from 'node:timers/promises';
import type { VisitorOptions } from './visitors.ts';

interface ListenerOptions
  extends Pick<VisitorOptions, 'readers' | 'token' | 'budgets' | 'random' | 'blame'> {
  readonly signal: AbortSignal;
}

const PAUSE_MS = 500;
/** Three comments: a reader that is frozen or cut off says nothing. */
const SILENCE_MS_MAX = 45_000;
const EVENT = /^event: position\ndata: (\{.*\})$/gm;

/** Passes each position on, one after another. */
export async function listen(
  options: ListenerOptions,
  told: (budget: string, position: number) => Promise<void>,
): Promise<void> {
  const { readers, random, signal } = options;
  while (!signal.aborted) {
    const address = random.pick(readers).address('Read API');
    // A reader that is killed, frozen or cut off ends its stream in any way.
    await readStream(`${address}/api/v1/events`, options, told).catch(() => {});
    await sleep(PAUSE_MS);
  }
}

async function readStream(
  url: string,
  { token, budgets, blame, signal }: ListenerOptions,
  told: (budget: string, position: number) => Promise<void>,
): Promise<void> {
  const silent = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal: AbortSignal.any([signal, silent.signal]) });
  if (!response.ok || response.body === null) return;
  const last = new Map<string, number>();
  const silence = setTimeout(() => silent.abort(), SILENCE_MS_MAX);
  let rest = '';
  try {
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      silence.refresh();
      rest += text;
      const end = rest.lastIndexOf('\n\n') + 2;
      const events = [...rest.slice(0, end).matchAll(EVENT)];
      rest = rest.slice(end);
      for (const [, data = ''] of events) {
        const { budgetId, position } = JSON.parse(data) as { budgetId: string; position: number };
        if (position < (last.get(budgetId) ?? 0)) {
          blame(`A stream told position ${position} of ${budgetId} after ${last.get(budgetId)}`);
        }
        last.set(budgetId, position);
        if (budgets.includes(budgetId)) await told(budgetId, position);
      }
    }
  } finally {
    clearTimeout(silence);
  }
}
