// The partitions that a projector has claimed: the log hands over their batches, and each has a pipeline.
import type { Batch, Outcome, Subscriber } from '../../event-log/event-log.ts';
import type { StoredCheckpoint } from '../../store/collections.ts';
import { FencedError } from '../../store/database-errors.ts';
import type { Claim } from '../../store/writing/checkpoints.ts';
import { DataLossError } from '../log-damage.ts';
import type { ProjectorStore } from '../store.ts';
import { takeOver } from './claim.ts';
import type { PartitionContext } from './partition-context.ts';
import { Pipeline } from './pipeline.ts';

/** Of a checkpoint; raised by each claim. */
export type Epoch = Pick<StoredCheckpoint, '_id' | 'epoch'>;

export class ClaimedPartitions implements Subscriber {
  readonly #context: Omit<PartitionContext, 'store'>;
  readonly #openStore: () => ProjectorStore;
  readonly #pipelines = new Map<number, Pipeline>();
  /** A partition that is assigned again reuses its session. */
  readonly #stores = new Map<number, ProjectorStore>();
  /** Claimed by another process while nothing came. */
  readonly #lost = new Set<number>();

  /** @param openStore opens a store with a session of its own */
  constructor(context: Omit<PartitionContext, 'store'>, openStore: () => ProjectorStore) {
    this.#context = context;
    this.#openStore = openStore;
  }

  async assigned(partition: number, heartbeat: () => Promise<void>): Promise<number | null> {
    const store = this.#stores.get(partition) ?? this.#openStore();
    this.#stores.set(partition, store);
    const context = { ...this.#context, store, heartbeat };
    const taken = await takeOver(context, partition);
    if (!taken) return null;
    this.#pipelines.set(partition, new Pipeline(context, taken));
    this.#lost.delete(partition);
    return taken.claim.next;
  }

  ready(
    partition: number,
    waiting: Pick<Batch, 'heartbeat' | 'signal'>,
  ): Promise<void> | 'lost' | null {
    if (this.#lost.delete(partition)) return 'lost';
    return this.#pipelines.get(partition)?.ready(waiting) ?? null;
  }

  async batch(batch: Batch): Promise<Outcome> {
    const { partition } = batch;
    const pipeline = this.#pipelines.get(partition);
    if (!pipeline) throw new FencedError(`Partition ${partition} is not claimed by this process`);
    const outcome = await pipeline.apply(batch);
    if (outcome === 'halt') {
      await pipeline.leave();
      this.#pipelines.delete(partition);
    }
    return outcome;
  }

  async damaged(partition: number, message: string): Promise<void> {
    await this.halt(partition, new DataLossError(this.#context.eventLog, partition, message));
  }

  async halt(partition: number, error: DataLossError): Promise<void> {
    await this.#pipelines.get(partition)?.halt(error);
  }

  async revoked(partition: number): Promise<void> {
    const { shadowSets, metrics } = this.#context;
    shadowSets.released(partition);
    const pipeline = this.#pipelines.get(partition);
    if (!pipeline) return;
    await pipeline.leave();
    this.#pipelines.delete(partition);
    metrics?.partition(partition, 'released');
  }

  /** Returns the claims, without those that the stored epochs show to be another process's by now. */
  current(stored: readonly Epoch[]): Map<number, Claim> {
    const owned = new Map([...this.#pipelines].map(([partition, { claim }]) => [partition, claim]));
    for (const { _id, epoch } of stored) {
      if (epoch > (owned.get(_id)?.epoch ?? epoch) && owned.delete(_id)) this.#lost.add(_id);
    }
    return owned;
  }
}
