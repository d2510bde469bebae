// The environment of a chaos run: servers behind proxies, processes of the product, producers.
import type { MongoClient } from 'mongodb';
import type { RunningKafka } from '../../scripts/kafka/start-kafka.ts';
import type { KafkaConfig } from '../../src/process/config.ts';
import type { Budgeting, BudgetingKilled } from './budgeting.ts';
import type { Disk } from './disk.ts';
import type { Fleet } from './fleet.ts';
import type { Supervised } from './product.ts';
import type { TcpProxy } from './proxy.ts';
import type { ReplicaSet } from './replica-set.ts';
import type { Traffic } from './traffic.ts';
import type { Weather } from './weather.ts';

export interface World {
  readonly set: ReplicaSet;
  readonly broker: RunningKafka;
  readonly brokerProxy: TcpProxy;
  /** The disk of the broker; null if the machine allows no mounts. */
  readonly brokerDisk: Disk | null;
  /** Connects through the proxies, like the product. */
  readonly client: MongoClient;
  /** Bypasses the proxy. */
  readonly kafka: KafkaConfig;
  readonly topic: string;
  readonly partitions: number;
  readonly fleet: Fleet;
  readonly readers: readonly Supervised[];
  readonly traffic: Traffic;
  readonly weather: Weather;
  /** Runs a command of the product. */
  readonly budgeting: Budgeting;
  /** Runs one that is killed half-way. */
  readonly budgetingKilled: BudgetingKilled;
  /** Reports a violated expectation. */
  readonly blame: (what: string) => void;
}
