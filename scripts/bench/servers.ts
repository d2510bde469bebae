// The servers that figures use; each is started when it is first needed.
import type { Mongod } from './mongod.ts';

export interface Broker {
  /** The addresses that its clients need. */
  readonly brokers: string;
  /** Its process, or the parent of that. */
  readonly pid: number;
}

export interface BenchServers {
  /** Receives one line about each step that takes time. */
  readonly report: (line: string) => void;
  /** Returns the broker that all figures share. */
  kafka(): Promise<Broker>;
  /** Starts a database server for one figure; it is stopped at the end, or earlier by the figure itself. */
  mongod(): Promise<Mongod>;
}
