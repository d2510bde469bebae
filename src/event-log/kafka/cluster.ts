// A connection to the brokers below kafkajs' consumer: where partitions lead, what they hold, and fetches.
import { type Cluster, type Kafka, type PartitionAssigner, PartitionAssigners } from 'kafkajs';
import type { Bounds } from '../event-log.ts';
import type { FetchedPartition } from './visible-records.ts';

/** How long what is known of leaders and partitions is believed without asking. */
const METADATA_AGE_MS_MAX = 10_000;
const ISOLATION_READ_COMMITTED = 1;

/**
 * A connected cluster that knows the topic. kafkajs hands its cluster to partition assigners only (its public way
 * to it); the consumer made here never runs.
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
  // kafkajs knows none of a topic that its broker has not told of yet.
  if (length === 0) throw noLeader(topic, 0);
  return length;
}

/** As committed readers see them: `end` is the last stable offset, before any open transaction. */
export async function readBounds(
  cluster: Cluster,
  topic: string,
  partition: number,
): Promise<Bounds> {
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

export interface FetchRequest {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** A larger record still comes, alone. */
  readonly bytesMax: number;
  /** How long the broker waits for a first byte. */
  readonly waitMs: number;
}

/** One answer of the partition's leader. Rejects with OFFSET_OUT_OF_RANGE where it does not hold the offset. */
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

/** Passing, like the errors of kafkajs of that name: the next metadata may know the leader. */
function noLeader(topic: string, partition: number): Error {
  const error = new Error(`No leader is known for partition ${partition} of topic ${topic}`);
  return Object.assign(error, { name: 'KafkaJSBrokerNotFound', retriable: true });
}
