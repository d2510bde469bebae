// Tokens that are revoked while streams and waits of theirs are open: each of them ends, and nothing is answered afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import type { Supervised } from './product.ts';
import type { World } from './world.ts';

const USER = 'user-1';
/** A reader notices within 15 s (docs/api.md), and this machine is busy. */
const NOTICED_MS = 30_000;
const PATIENCE_MS = 180_000;
const OPENED_MS = 2000;

export const TOKEN_FAULTS: readonly Fault[] = [
  {
    name: 'token revoked while streams and waits of it are open',
    weight: 2,
    of: 'readers',
    async run(world, random) {
      const issued = await world.budgeting('token', 'issue', '--user', USER, '--json');
      // The database may be away: then there is nothing to revoke.
      if (issued.code !== 0) return;
      const { token, id }: { token: string; id: string } = JSON.parse(issued.out);
      const budget = random.pick([...world.traffic.subjects].filter(isBudget));
      const open = world.readers.flatMap(reader => [
        follow(reader, 'events', token),
        waitForNews(reader, budget, token),
      ]);
      await sleep(OPENED_MS);
      const since = Date.now();
      if ((await world.budgeting('token', 'revoke', id)).code !== 0) return;
      const revoked = Date.now();
      await Promise.all(open);
      if (Date.now() - revoked > NOTICED_MS && isFair(world, since)) {
        world.blame(`A stream or wait of a revoked token went on for ${Date.now() - revoked} ms`);
      }
      for (const reader of world.readers) await refused(world, reader, { token, since });
    },
  },
];

const isBudget = (subject: string) => subject.startsWith('budget-');

/** Resolves when the answer ends, in whichever way. */
async function follow(reader: Supervised, path: string, token: string): Promise<void> {
  const response = await ask(reader, path, token);
  await response?.body?.pipeTo(new WritableStream()).catch(() => {});
}

/** Waits again and again, as clients do, until the token is refused or the reader does not answer. */
async function waitForNews(reader: Supervised, budget: string, token: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  let cursor = '';
  while (Date.now() < deadline) {
    const after = cursor && `&wait=60&cursor=${encodeURIComponent(cursor)}`;
    const response = await ask(reader, `changes?budget_id=${budget}${after}`, token);
    const text = await response?.text().catch(() => '');
    if (response?.status !== 200 || !text) return;
    ({ cursor } = JSON.parse(text) as { cursor: string });
  }
}

async function refused(
  world: World,
  reader: Supervised,
  { token, since }: { readonly token: string; readonly since: number },
): Promise<void> {
  const response = await ask(reader, 'budgets', token);
  await response?.body?.cancel();
  if (response?.ok && isFair(world, since)) {
    world.blame(`${reader.name} answered ${response.status} to a revoked token`);
  }
}

function isFair({ weather, readers }: World, since: number): boolean {
  return !weather.wasBad(since) && !readers.some(reader => reader.wasFrozen(since));
}

async function ask(reader: Supervised, path: string, token: string): Promise<Response | null> {
  const address = reader.address('Read API');
  if (address === null) return null;
  const headers = { authorization: `Bearer ${token}` };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return fetch(`${address}/api/v1/${path}`, { headers, signal }).catch(() => null);
}
