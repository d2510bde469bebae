// Clients that read continuously: errors may occur only while the database is away, and no budget may step back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../histories/random.ts';
import { createPatience, type Patience } from '../http/ask-again.ts';
import { count, type Supervised } from './product.ts';
import type { Weather } from './weather.ts';

export interface VisitorOptions {
  readonly readers: readonly Supervised[];
  readonly token: string;
  readonly budgets: readonly string[];
  /** Budgets that the history deletes. */
  readonly mortal: ReadonlySet<string>;
  readonly random: Random;
  readonly weather: Weather;
  readonly blame: (what: string) => void;
}

export interface Visitors {
  /** The number of answers by status. */
  readonly answers: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

const VISITORS = 2;
const PAUSE_MS = 60;
const PATIENCE_MS = 30_000;
const PATHS = [
  'accounts?',
  'transactions?',
  'categories?',
  'payees?',
  'labels?',
  'months/2025-06?',
  'months?start_month=2025-01&end_month=current&',
  'category-months?start_month=2025-05&end_month=2025-07&include_hidden=true&',
  'balances?start_date=2025-01-01&end_date=2025-12-31&interval=week&',
  'sums?group_by=payee&interval=month&start_date=2025-01-15&',
];

export function startVisitors(options: VisitorOptions): Visitors {
  const { random, budgets } = options;
  const answers = new Map<string, number>();
  const seen = { answers, positions: new Map<string, number>(), isPaused: createPatience() };
  const stopping = new AbortController();
  const visit = async () => {
    while (!stopping.signal.aborted) {
      await read(options, random.pick(budgets), seen);
      await sleep(PAUSE_MS);
    }
  };
  const visiting = Array.from({ length: VISITORS }, visit);
  return {
    answers,
    async stop() {
      stopping.abort();
      await Promise.all(visiting);
    },
  };
}

interface Seen {
  readonly answers: Map<string, number>;
  /** By budget. */
  readonly positions: Map<string, number>;
  readonly isPaused: Patience;
}

async function read(
  { readers, token, mortal, random, weather, blame }: VisitorOptions,
  budget: string,
  { positions, answers, isPaused }: Seen,
): Promise<void> {
  const reader = random.pick(readers);
  const address = reader.address('Read API');
  const starts = reader.starts();
  if (address === null) return;
  const path = `${random.pick(PATHS)}budget_id=${budget}`;
  const since = Date.now();
  const known = positions.get(budget) ?? 0;
  const where = `${path} at ${reader.name}`;
  try {
    const answer = await fetch(`${address}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const body = await answer.text();
    count(answers, kindOf(answer.status, body));
    const paused = isPaused(reader.name, answer, body);
    if (answer.status === 200) {
      const position = Number(answer.headers.get('x-projection-position'));
      if (!(position >= known)) blame(`${where} stepped back from ${known} to ${position}`);
      positions.set(budget, Math.max(positions.get(budget) ?? 0, position));
    } else if (answer.status === 404) {
      if (known > 0 && !mortal.has(budget)) blame(`${where} is gone: ${body}`);
    } else if (answer.status !== 503 || !answer.headers.has('retry-after')) {
      blame(`${where} answered ${answer.status}: ${body}`);
    } else if (!paused && !weather.wasBad(since) && !reader.wasFrozen(since)) {
      blame(`${where} answered 503 in fair weather: ${body}`);
    }
  } catch (error) {
    // A reader that was killed meanwhile does not answer.
    const killed = reader.starts() !== starts || reader.address('Read API') !== address;
    count(answers, killed ? 'killed' : 'none');
    await sleep(RESTART_SEEN_MS);
    const expected = reader.starts() !== starts || reader.wasFrozen(since);
    if (!expected && !weather.wasBad(since)) {
      blame(`${where} gave no answer: ${(error as Error).message}`);
    }
  }
}

function kindOf(status: number, body: string): string {
  return status === 503 ? `503 ${JSON.parse(body).error.message}` : String(status);
}

/** By then the supervisor has restarted a dead process. */
const RESTART_SEEN_MS = 1500;
