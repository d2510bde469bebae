// A log under test, and the records that the tests of all logs write and read.
import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { Batch, BatchLimits, EventLog, NewRecord } from '../../src/event-log/event-log.ts';

/** One empty log. Everything that it opens is closed and removed when the test ends. */
export interface LogUnderTest {
  readonly partitions: number;
  /** Opens the log, a writer to append; closing and opening it again is a restart. */
  open(role: 'writer' | 'reader'): Promise<EventLog>;
  /** Appends from another process (or client) than those of `open`; no writer may be open. */
  appendElsewhere(records: readonly NewRecord[]): Promise<void>;
  /** Leaves the remains of a writer that died before its commit; no writer may be open. */
  abandon(records: readonly NewRecord[]): Promise<void>;
}

export type CreateLog = (t: ExecutionContext) => Promise<LogUnderTest>;

export const LIMITS: BatchLimits = { recordsMax: 100, bytesMax: 100_000 };
const WAIT_MS = 300_000;
const POLL_MS = 5;
export const KEYS = ['budget-1', 'budget-2', 'space-1', 'budget-3', 'a', 'b~c:d.e_f-g'];

/** A record of a stream; its value is an object with at least `subject`. */
export function record(key: string, n: number, more: object = {}): NewRecord {
  return { key, value: JSON.stringify({ subject: key, n, ...more }) };
}

/** Records of all keys in turn, numbered from `first`. */
export function records(count: number, first = 0): NewRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const n = first + index;
    return record(KEYS[n % KEYS.length] ?? 'a', n);
  });
}

export interface Read {
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: string;
}

export function readOf(batch: Batch['records']): Read[] {
  return batch.map(({ partition, offset, key, value }) => {
    return { partition, offset, key, value: Buffer.from(value ?? []).toString() };
  });
}

/** Returns all records of a log, partition by partition. */
export async function readAll(eventLog: EventLog): Promise<Read[]> {
  const all: Read[] = [];
  for (let partition = 0; partition < (await eventLog.partitions()); partition += 1) {
    const { start, end } = await eventLog.bounds(partition);
    for await (const batch of eventLog.scan({ partition, from: start, to: end }))
      all.push(...readOf(batch));
  }
  return all;
}

/** Waits until the condition holds; fails the test after WAIT_MS. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited ${WAIT_MS} ms in vain until ${what}`);
    await delay(POLL_MS);
  }
}

export interface Following {
  readonly batches: readonly Batch[];
  readonly values: () => string[];
  readonly assigned: readonly number[];
  readonly revoked: readonly number[];
  /** Resolves or rejects with the subscription. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

interface FollowingOptions {
  /** Returns the first offset of each partition; 0 by default. */
  readonly from?: (partition: number) => number;
  readonly limits?: BatchLimits;
}

/** Subscribes and collects. */
export function following(
  eventLog: EventLog,
  group: string,
  { from = () => 0, limits = LIMITS }: FollowingOptions = {},
): Following {
  const batches: Batch[] = [];
  const assigned: number[] = [];
  const revoked: number[] = [];
  const controller = new AbortController();
  const subscriber = {
    assigned: async (partition: number) => {
      assigned.push(partition);
      return from(partition);
    },
    batch: async (batch: Batch) => {
      batches.push(batch);
      await batch.heartbeat();
      return batch.to;
    },
    revoked: async (partition: number) => {
      revoked.push(partition);
    },
  };
  const run = eventLog.subscribe(subscriber, { group, limits, signal: controller.signal });
  run.catch(() => {});
  const values = () => batches.flatMap(batch => readOf(batch.records).map(read => read.value));
  const stop = () => {
    controller.abort();
    return run;
  };
  return { batches, values, assigned, revoked, ended: run, stop };
}

export function sorted(texts: Iterable<string>): string[] {
  return [...texts].sort();
}

export function valuesOf(list: readonly NewRecord[]): string[] {
  return list.map(({ value }) => value);
}

/** Thirty records of one stream. */
export function records30(): NewRecord[] {
  return Array.from({ length: 30 }, (_, n) => record('budget-1', n));
}
