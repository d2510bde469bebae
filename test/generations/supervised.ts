// Projectors of several versions and a reader over one log, for tests of generations.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { createDecisionLog } from '../../src/access/decisions.ts';
import { createLimiter } from '../../src/access/limiter.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import type { GenerationsContext } from '../../src/generations/generations-context.ts';
import { requestBuild } from '../../src/generations/operate.ts';
import { runGenerations } from '../../src/generations/supervisor.ts';
import { createLogger } from '../../src/process/log.ts';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { createPositionWatcher } from '../../src/store/reading/position-watcher.ts';
import { changeRegistry, type Registry, readRegistry } from '../../src/store/registry.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { startReader } from '../http/start-reader.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';

const MANY = 10_000_000;
const UNLIMITED = {
  addressPerMinute: MANY,
  tokenReadsPerMinute: MANY,
  tokenWritesPerMinute: MANY,
  userPerMinute: MANY,
  userPerDay: MANY,
};

/** A projector that runs until it is stopped. */
export interface Deployment {
  stop(): Promise<void>;
}

/** `clock` is that of the reader. */
export async function supervised(mongo: TestMongo, clock = () => new Date()) {
  const readModel = mongo.newDatabase('generations');
  const access = mongo.newDatabase('generations_access');
  await ensureAccessIndexes(access);
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-generations-'));
  const eventLog = await openFolderLog(folder, { partitions: 2 });
  const logger = createLogger(process.env.TEST_LOG_LEVEL ?? 'silent');
  const decisions = createDecisionLog(access);
  const collectionsOf = (id: string) => generationCollections(readModel, id);
  const partsOf = (id: string) => ({ collections: collectionsOf(id), decisions });
  const openStore = (id: string) => ({
    ...partsOf(id),
    session: openCommitSession(mongo.client, collectionsOf(id)),
  });
  const tokens = createTokenStore(access);
  const watcher = createPositionWatcher(readModel, logger);
  const stopping = new AbortController();
  const listening = await startReader({
    readModel,
    access: { tokens, limiter: createLimiter(access, UNLIMITED) },
    watcher,
    clock,
    logger,
    config: { limits: UNLIMITED },
    stopping: stopping.signal,
  });

  function contextOf(version: number): GenerationsContext {
    const common = { database: readModel, eventLog, logger, partsOf, openStore };
    return { ...common, version, rollbackMs: 3_600_000 };
  }

  const deployed = new Set<Deployment>();
  return {
    readModel,
    access,
    eventLog,
    openStore,
    collectionsOf,
    partsOf,
    contextOf,
    address: `http://127.0.0.1:${listening.port}/api/v1`,
    token: async (owner: string) => (await tokens.issue({ owner }, new Date())).token,
    registry: () => readRegistry(readModel),
    append: (events: readonly { subject: string }[]) =>
      eventLog.append(events.map(event => ({ key: event.subject, value: JSON.stringify(event) }))),
    /** Lets time pass for the registry: all that it tells happened so much earlier. */
    ahead: (ms: number) => changeRegistry(readModel, registry => aged(registry, ms)),
    deploy(version: number, changes: Partial<GenerationsContext> = {}): Deployment {
      const ending = new AbortController();
      const running = runGenerations({ ...contextOf(version), ...changes }, ending.signal);
      running.catch(error => logger.error({ err: error }, 'projector failed'));
      const deployment = {
        async stop() {
          ending.abort();
          await running;
        },
      };
      deployed.add(deployment);
      return deployment;
    },
    /**
     * Waits until the registry fulfils the condition, for readers too: their snapshots hold what a majority has, which
     * a member shows a moment later than its own writes.
     */
    async until(isWanted: (registry: Registry) => boolean): Promise<Registry> {
      for (;;) {
        const registry = await readRegistry(readModel, { readConcern: 'majority' });
        if (isWanted(registry)) return registry;
        await sleep(25);
      }
    },
    /** Stops all projectors. */
    async stopDeployed(): Promise<void> {
      for (const { stop } of deployed) await stop();
      deployed.clear();
    },
    async stop() {
      // Includes those of a failed test, which would keep the process alive.
      for (const { stop } of deployed) await stop().catch(() => {});
      stopping.abort();
      await Promise.all([listening.stop(1000), watcher.stop()]);
      await eventLog.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function aged(registry: Registry, ms: number): Registry {
  const before = (at: Date | null) => at && new Date(at.getTime() - ms);
  const generations = registry.generations.map(record => ({
    ...record,
    startedAt: new Date(record.startedAt.getTime() - ms),
    activatedAt: before(record.activatedAt),
    retiredAt: before(record.retiredAt),
    verifyingUntil: before(record.verifyingUntil),
  }));
  return { ...registry, generations };
}

export type Supervised = Awaited<ReturnType<typeof supervised>>;

/** Version 1 is active, with the events of these drafts in one budget. */
export async function withActive(
  t: ExecutionContext,
  mongo: TestMongo,
  drafts: readonly Draft[],
): Promise<Supervised> {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  const eventOf = eventMaker('budget-1');
  await system.append(drafts.map(draft => eventOf(draft)));
  system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  return system;
}

/** The third event contradicts the second. */
export const CONTRADICTION: readonly Draft[] = [CREATED, payee('a'), payee('a'), payee('b')];

/** Requests a build that holds a stream, because the decision to skip its event in g1 gets lost. */
export async function requestHeldBuild(system: Supervised): Promise<void> {
  const how = { missing: false, limits: { rowsMax: 20_000 }, now: new Date() };
  await skipHeld(system.openStore('g1'), 'budget-1', how);
  await system.access.collection('decisions').deleteMany({});
  await requestBuild(system.readModel, 1);
}

/** A log on which the test acts before it is read for a verification; a claim reads single records. */
export function verifying(eventLog: EventLog, act: () => unknown): EventLog {
  return beforeScan(eventLog, ({ from, to }) => (to - from > 1 ? act() : undefined));
}

/** A log that delivers nothing to a projector. */
export function never({ eventLog }: Pick<Supervised, 'eventLog'>): EventLog {
  return {
    ...eventLog,
    subscribe: (_, { signal }) => sleep(2 ** 30, undefined, { signal }).catch(() => {}),
  };
}
