// One partition of a log and a projector's work on it, step by step, over a real mongod.
import { type Db, MongoClient } from 'mongodb';
import type { Head } from '../../projections/documents.ts';
import type { EventLog, LogRecord } from '../../src/event-log/event-log.ts';
import { SHARING_LIMITS, type SharingLimits } from '../../src/projector/machine/machine-state.ts';
import { type TakenOver, takeOver } from '../../src/projector/partition/claim.ts';
import type { PartitionContext } from '../../src/projector/partition/partition-context.ts';
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { createShadowSetRunner } from '../../src/projector/shadow/runner.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { createTurns } from '../../src/projector/turns.ts';
import { headOf } from '../../src/store/heads.ts';
import type { Claim } from '../../src/store/writing/checkpoints.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { createCommitGroup, joined } from '../../src/store/writing/commit-group.ts';
import { memoryLog } from '../http/memory-log.ts';
import { PARTITION, type StubLog, stubLog } from './log-in-memory.ts';
import { openTestStore, storeOpener } from './test-store.ts';

const quiet = async () => {};

export interface PartitionScene {
  readonly db: Db;
  readonly store: ProjectorStore;
  readonly context: PartitionContext;
  readonly eventLog: StubLog;
  /** The lines of the logger. */
  readonly lines: ReturnType<typeof memoryLog>['lines'];
  /** Takes the partition over, like a separate process. */
  take(owner?: string, heartbeat?: () => Promise<void>): Promise<TakenOver>;
  /** The same, for its claim alone. */
  claim(owner?: string, heartbeat?: () => Promise<void>): Promise<Claim>;
  /** Applies records under a claim; returns the claim after them. */
  apply(claimed: Claim, records: readonly LogRecord[], options?: ApplyOptions): Promise<Claim>;
  /** Claims the partition, and applies all records after the checkpoint. */
  project(): Promise<Claim>;
  /** Adds events to the log, and projects them. */
  tell(...events: readonly object[]): Promise<Claim>;
  head(subject: string): Promise<Head | null>;
  /** Returns the sequences in the queue of a stream, in order. */
  queue(subject: string): Promise<number[]>;
}

interface ApplyOptions {
  readonly heartbeat?: () => Promise<void>;
  readonly context?: PartitionContext;
}

export interface SceneOptions {
  readonly generation?: string;
  /** A separate client: another process, or one whose commands are monitored or fail. */
  readonly client?: MongoClient;
  readonly eventLog?: StubLog;
  readonly rowsMax?: number;
  readonly sharing?: SharingLimits;
  readonly signal?: AbortSignal;
}

const scenes = new WeakMap<MongoClient, AbortController[]>();

/** Work beside the chunks may outlive the last test: over a client that is closed, it would be retried for ever. */
function untilClosed(client: MongoClient): AbortSignal {
  const ending = new AbortController();
  const all = scenes.get(client) ?? [];
  all.push(ending);
  if (all.length > 1) return ending.signal;
  scenes.set(client, all);
  client.once('topologyClosed', () => {
    for (const scene of all) scene.abort();
  });
  return ending.signal;
}

interface ContextOptions {
  readonly store: ProjectorStore;
  readonly eventLog: EventLog;
  readonly signal: AbortSignal;
  readonly rowsMax?: number;
  readonly sharing?: SharingLimits;
}

/** Opens what a projector has for its partitions; returns the lines of its logger too. */
export function openContext({
  store,
  eventLog,
  signal,
  rowsMax = 20_000,
  sharing = SHARING_LIMITS,
}: ContextOptions): { context: PartitionContext; lines: PartitionScene['lines'] } {
  const { logger, lines } = memoryLog();
  const common = { owner: 'tests', limits: { rowsMax }, logger, signal };
  const openStore = storeOpener(store);
  const shadowSets = createShadowSetRunner({ ...common, openStore });
  const context = { ...common, store, eventLog, turns: createTurns(), sharing, shadowSets };
  return { context, lines };
}

export async function createPartitionScene(
  database: Db,
  options: SceneOptions = {},
): Promise<PartitionScene> {
  const { client, eventLog = stubLog(), generation } = options;
  const db = client ? client.db(database.databaseName) : database;
  const opened = await openTestStore(db, generation);
  const group = createCommitGroup(openCommitSession(db.client, opened.collections));
  const store = { ...opened, session: joined(opened.session, group) };
  const signal = options.signal ?? untilClosed(db.client);
  const { context, lines } = openContext({ ...options, store, eventLog, signal });
  const { shadowSets } = context;
  const shadowSetsWritten = async () => {
    await shadowSets.idle();
    const failed = lines.find(({ level }) => level === 50);
    if (failed) throw new Error(`${failed.msg}: ${failed.err?.stack}`);
  };
  const take = async (owner = 'tests', heartbeat = quiet) => {
    const taken = await takeOver({ ...context, owner, heartbeat }, PARTITION);
    await shadowSetsWritten();
    if (!taken) throw new Error('The partition is halted');
    return taken;
  };
  const claim: PartitionScene['claim'] = async (...by) => (await take(...by)).claim;
  const apply: PartitionScene['apply'] = async (
    claimed,
    records,
    { heartbeat = quiet, context: by = context } = {},
  ) => {
    const to = (records.at(-1)?.offset ?? claimed.next - 1) + 1;
    const range = { from: claimed.next, to, bounds: { start: 0, end: to } };
    const pipeline = new Pipeline(by, { claim: claimed, end: to });
    const batch = { ...range, partition: PARTITION, records, heartbeat, signal };
    const outcome = await pipeline.apply(batch);
    await shadowSetsWritten();
    if (typeof outcome === 'string') throw new Error(`The outcome is ${outcome}`);
    return pipeline.claim;
  };
  const project = async () => {
    const claimed = await claim();
    return apply(claimed, eventLog.records.slice(claimed.next));
  };
  return {
    db,
    store,
    context,
    eventLog,
    lines,
    take,
    claim,
    apply,
    project,
    tell(...events) {
      eventLog.add(...events);
      return project();
    },
    async head(subject) {
      const stored = await store.collections.heads.findOne({ _id: subject });
      return stored && headOf(stored);
    },
    async queue(subject) {
      const entries = store.collections.waiting.find({ subject }).sort({ sequence: 1, offset: 1 });
      return (await entries.toArray()).map(({ sequence }) => sequence);
    },
  };
}

/** Connects another client to the same server, whose commands can be monitored and fail on their own. */
export function anotherClient(url: string): Promise<MongoClient> {
  return new MongoClient(url, { monitorCommands: true }).connect();
}
