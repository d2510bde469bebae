// The invariants whenever the faults pause, and at the end.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { isBuild } from '../../src/store/generation-plan.ts';
import { readRegistry } from '../../src/store/registry.ts';
import { accountFor, readLog } from './accounting.ts';
import { activeCollections, READ_MODEL } from './active-collections.ts';
import { caughtUp, differences, projectFromScratch } from './fresh-projection.ts';
import type { Supervised } from './product.ts';
import type { World } from './world.ts';

const FRESH = 'chaos_fresh';
/** After any fault, all events are applied within this time. */
const RECOVERY_MS_MAX = 400_000;
const READY_MS_MAX = 300_000;
const POLL_MS = 250;

export interface Checking {
  readonly world: World;
  readonly eventLog: EventLog;
  readonly blame: (what: string) => void;
}

export interface Checked {
  readonly records: number;
  /** The number of records that belong to no stream. */
  readonly strays: number;
  readonly streams: number;
  readonly held: number;
}

/** Checks that no process lags or hangs and that verification finds nothing, and accounts for every event. */
export async function checkCalm(checking: Checking): Promise<Checked> {
  const { world, eventLog, blame } = checking;
  await builtUp(world).catch(error => blame(error.message));
  const collections = await activeCollections(checking.world.client);
  await caughtUp(collections, eventLog, RECOVERY_MS_MAX).catch(error => blame(error.message));
  for (const process of [...world.fleet.all(), ...world.readers]) await checkReady(process, blame);
  const { code, out, err } = await world.budgeting('verify');
  if (code !== 0) blame(`verify: ${out.slice(-2000)}${err}`);
  const logged = await readLog(eventLog);
  const { streams, held, wrong } = await accountFor(collections, logged);
  for (const what of wrong) blame(what);
  return { records: logged.records, strays: logged.strays.size, streams, held };
}

/** Resolves once no generation is being built: its switch would replace the one that is checked. */
async function builtUp({ client }: World): Promise<void> {
  for (const deadline = Date.now() + RECOVERY_MS_MAX; ; await sleep(POLL_MS)) {
    const { generations } = await readRegistry(client.db(READ_MODEL));
    const build = generations.find(isBuild);
    if (!build) return;
    if (Date.now() > deadline) throw new Error(`${build.id} is ${build.state}: ${build.waitsFor}`);
  }
}

/** Projects the log from scratch and compares the stored documents. */
export async function checkFromScratch(checking: Checking): Promise<number> {
  const { world, eventLog, blame } = checking;
  const live = await activeCollections(checking.world.client);
  const fresh = await projectFromScratch(world.client.db(FRESH), eventLog);
  const { documents, named } = await differences(live, fresh);
  for (const what of named) blame(what);
  return documents;
}

async function checkReady(process: Supervised, blame: (what: string) => void): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX;
  for (;;) {
    const address = process.address('Operators');
    const answer = address && (await fetch(`${address}/readyz`).catch(() => null));
    if (answer && answer.status === 200) return;
    if (Date.now() > deadline) {
      return blame(`${process.name} is not ready: ${answer ? await answer.text() : 'no answer'}`);
    }
    await sleep(POLL_MS);
  }
}
