// A connection to the brokers below the level of kafkajs' consumer: leaders and bounds of partitions, and fetches.
import { type Cluster, type Kafka, type PartitionAssigner, PartitionAssigners } from 'kafkajs';
import type { HiddenOffsets, LogBounds } from '../event-log.ts';
import { notYet } from './failure.ts';
import type { FetchedPartition } from './visible-records.ts';

/** Older metadata on leaders and partitions is loaded again before use. */
const METADATA_AGE_MS_MAX = 10_000;
const ISOLATION_READ_COMMITTED = 1;

/**
 * Returns a connected cluster that has loaded the topic's metadata. The only public way to kafkajs' cluster is a
 * partition assigner, which receives it; the consumer created here for that never runs.
 */
export async function openCluster(kafka: Kafka, topic: string): Promise<Cluster> {
  const taken: Cluster[] = [];
  const take: PartitionAssigner = config => {
    taken.push(config.cluster);
    return PartitionAssigners.roundRobin(config);
  };
  kafka.consumer({
    groupId: 'never joined',
    partitionAssigners: [take],
    metadataMaxAge: METADATA_AGE_MS_MAX,
    allowAutoTopicCreation: false,
  });
  const [cluster] = taken;
  if (!cluster) throw new Error('kafkajs gave its partition assigner no cluster');
  try {
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    return cluster;
  } catch (error) {
    await cluster.disconnect().catch(() => {});
    throw error;
  }
}

export async function countPartitions(cluster: Cluster, topic: string): Promise<number> {
  await cluster.refreshMetadataIfNecessary();
  const { length } = cluster.findTopicPartitionMetadata(topic);
  // kafkajs reports no partitions while its broker does not know the topic yet.
  if (length === 0) throw noLeader(topic, 0);
  return length;
}

/** Returns the bounds that read-committed consumers see: `end` is the last stable offset, before open transactions. */
export async function readBounds(
  cluster: Cluster,
  topic: string,
  partition: number,
): Promise<LogBounds> {
  await cluster.refreshMetadataIfNecessary();
  const at = async (fromBeginning: boolean) => {
    const topics = await cluster.fetchTopicsOffset([
      { topic, partitions: [{ partition }], fromBeginning },
    ]);
    const found = topics[0]?.partitions.find(one => one.partition === partition);
    if (!found) throw noLeader(topic, partition);
    return Number(found.offset);
  };
  const [start, end] = await Promise.all([at(true), at(false)]);
  return { start, end };
}

/** Returns the offsets from the last stable one on: committed events among them are not visible either. */
export async function readHiddenOffsets(
  cluster: Cluster,
  topic: string,
  partition: number,
): Promise<HiddenOffsets> {
  const { end: offset } = await readBounds(cluster, topic, partition);
  const request = { topic, partition, offset, bytesMax: 1, waitMs: 0 };
  const { highWatermark, lastStableOffset } = await fetchPartition(cluster, request);
  const from = Number(lastStableOffset);
  return { from, to: Math.max(from, Number(highWatermark ?? 0)) };
}

export interface FetchRequest {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** A larger record is still fetched, alone. */
  readonly bytesMax: number;
  /** How long the broker waits for the first byte; then it answers with none. */
  readonly waitMs: number;
}

/** Fetches once from the partition's leader; rejects with OFFSET_OUT_OF_RANGE if it does not hold the offset. */
export async function fetchPartition(
  cluster: Cluster,
  { topic, partition, offset, bytesMax, waitMs }: FetchRequest,
): Promise<FetchedPartition> {
  await cluster.refreshMetadataIfNecessary();
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined) throw noLeader(topic, partition);
  const broker = await cluster.findBroker({ nodeId });
  const { responses } = await broker.fetch({
    maxWaitTime: waitMs,
    minBytes: 1,
    maxBytes: bytesMax,
    isolationLevel: ISOLATION_READ_COMMITTED,
    topics: [
      { topic, partitions: [{ partition, fetchOffset: String(offset), maxBytes: bytesMax }] },
    ],
  });
  const fetched: FetchedPartition | undefined = responses[0]?.partitions[0];
  if (fetched?.partition !== partition) throw noLeader(topic, partition);
  return fetched;
}

/** Newer metadata may name one. */
function noLeader(topic: string, partition: number): Error {
  return notYet(`No leader is known for partition ${partition} of topic ${topic}`);
}
