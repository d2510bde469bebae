// Live traffic: events at a fixed rate, and the time until each is readable.
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { stream } from './history.ts';
import type { Topic } from './topic.ts';
import type { Watch } from './watch.ts';

export type Sender = ReturnType<typeof stream>;

export interface Traffic {
  readonly topic: Topic;
  /** By the subject of their stream. */
  readonly senders: ReadonlyMap<string, Sender>;
  readonly watch: Watch;
  /** How long to send. */
  readonly ms: number;
}

const BURST = 10;
const BURST_MS = 20;

/** Sends 500 events a second, and returns the milliseconds until each was readable. */
export async function waits({ topic, senders, watch, ms }: Traffic): Promise<number[]> {
  const all: Promise<number>[] = [];
  const sent: Promise<void>[] = [];
  const subjects = [...senders.keys()];
  const startedAt = performance.now();
  for (let burst = 0; burst * BURST_MS < ms; burst += 1) {
    const records = Array.from({ length: BURST }, (_, index) => {
      const subject = subjects[(burst * BURST + index) % subjects.length] ?? '';
      return senders.get(subject)?.('transaction.entered', rowData()) ?? { key: '', value: '' };
    });
    const sentAt = performance.now();
    for (const { key, value } of records) {
      const { sequence } = JSON.parse(value);
      all.push(watch.reached(key, sequence).then(at => at - sentAt));
    }
    sent.push(topic.append(records));
    await sleep(Math.max(0, startedAt + (burst + 1) * BURST_MS - performance.now()));
  }
  await Promise.all(sent);
  return await Promise.all(all);
}

let rows = 0;

function rowData(): TransactionEntered {
  rows += 1;
  return {
    transactionId: `live-row-${rows}`,
    date: '2025-12-01',
    accountId: `account-${rows % 8}`,
    categoryId: `category-${rows % 40}`,
    payeeId: `payee-${rows % 100}`,
    amount: '-12.34',
    type: 'standard',
    cleared: true,
    reconciled: false,
  };
}
