// Clients that keep copies of budgets by following /changes all the while, at one reader or another: some poll, some wait
// for news, some ask when a stream tells a position. At the end each copy must equal the lists of version 1.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Copy,
  createSyncClient,
  type Get,
  listedCopy,
  type SyncClient,
} from '../system/sync-client.ts';
import { listen } from './listen.ts';
import type { VisitorOptions } from './visitors.ts';

type FollowerOptions = Pick<VisitorOptions, 'readers' | 'token' | 'budgets' | 'random' | 'blame'>;

export interface Followers {
  /** Stops, follows to the end, and compares. Nothing may be applied meanwhile. Returns the number of equal copies. */
  finish(): Promise<number>;
}

const PAUSE_MS = 100;
const WAIT_SECONDS = 20;
/** Budgets that are followed by waits all the while; copies of the others are made at the end. */
const WAITING = 4;
const PATIENCE_MS = 30_000;
const FINISH_MS_MAX = 300_000;
const LIMITS = [1, 5, 40, 1000];

export function startFollowers(options: FollowerOptions): Followers {
  const { budgets, random, blame } = options;
  const get = anyReader(options);
  const clientsOf = () => new Map(budgets.map(budget => [budget, createSyncClient(get, budget)]));
  const clients = { polling: clientsOf(), waiting: clientsOf(), listening: clientsOf() };
  const stopping = new AbortController();
  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      const budget = random.pick(budgets);
      await clients.polling.get(budget)?.step(random.pick(LIMITS)).catch(blamed(budget));
      await sleep(PAUSE_MS);
    }
  }
  async function followWaiting(budget: string, client: SyncClient): Promise<void> {
    while (!stopping.signal.aborted) {
      const step = await client.step(random.pick(LIMITS), WAIT_SECONDS).catch(blamed(budget));
      if (step !== 'more') await sleep(PAUSE_MS);
    }
  }
  /** Follows a budget until its copy is up to date, which then contains the position of the stream. */
  async function followStream(budget: string, position: number): Promise<void> {
    const client = clients.listening.get(budget);
    if (client === undefined) return;
    for (;;) {
      const step = await client.step(1000).catch(blamed(budget));
      if (step === 'more') continue;
      if (step === 'up to date' && client.position < position) {
        blame(
          `A stream told position ${position} of ${budget}, but ${client.position} is readable`,
        );
      }
      return;
    }
  }
  // A page that breaks the contract, or a cursor that is refused.
  const blamed = (budget: string) => (error: Error) =>
    blame(`The client that follows ${budget}: ${error.message}`);
  const following = Promise.all([
    follow(),
    ...[...clients.waiting].slice(0, WAITING).map(([id, client]) => followWaiting(id, client)),
    listen({ ...options, signal: stopping.signal }, followStream),
  ]);
  return {
    async finish() {
      stopping.abort();
      await following;
      let equal = 0;
      const all = [...clients.polling, ...clients.waiting, ...clients.listening];
      for (const [budget, client] of all) {
        const isEqual = await finished(get, budget, client).catch(blamed(budget));
        if (isEqual === false) blame(`The copy of ${budget} differs from its lists`);
        if (isEqual === true) equal += 1;
      }
      return equal;
    },
  };
}

/** A reader that is killed, frozen or cut off counts as one that is not available. */
function anyReader({ readers, token, random }: FollowerOptions): Get {
  return async (path, headers = {}) => {
    const address = random.pick(readers).address('Read API');
    try {
      const response = await fetch(`${address}/api/v1${path}`, {
        headers: { authorization: `Bearer ${token}`, ...headers },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await response.text();
      const { status, headers: sent } = response;
      return new Response(text === '' ? null : text, { status, headers: sent });
    } catch {
      return new Response(null, { status: 503 });
    }
  };
}

/** Returns null for a budget that is gone. */
async function finished(get: Get, budget: string, client: SyncClient): Promise<boolean | null> {
  const deadline = Date.now() + FINISH_MS_MAX;
  while (Date.now() < deadline) {
    const step = await client.step(1000);
    if (step === 'gone') return null;
    const listed = step === 'up to date' ? await listedCopy(get, budget) : null;
    if (listed?.position === client.position) {
      return comparable(client.copy()) === comparable(listed.copy);
    }
    await sleep(PAUSE_MS);
  }
  return false;
}

/** Balances depend on the day of the reader that showed them, and clocks of readers jump. */
const OF_THE_DAY = ['balance', 'clearedBalance', 'unclearedBalance', 'nativeBalance'];

function comparable(copy: Copy): string {
  return JSON.stringify(copy, (key, value) => (OF_THE_DAY.includes(key) ? null : value));
}
