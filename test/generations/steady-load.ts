// A budget under a steady read load and a steady stream of events, while generations come and go.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { verify } from '../../src/verify/verify.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { createPatience } from '../http/ask-again.ts';
import { PATIENT_PAUSES_MS } from '../verify/patient-pauses.ts';
import { type Supervised, supervised } from './supervised.ts';

export const BUDGET = 'budget-1';
export const USER = 'anna';
/** Events before the first transaction: from then on the number of rows follows from the position. */
const BEFORE_ROWS = 2;

interface EventDraft {
  readonly type: string;
  readonly data: object;
}

export function event(subject: string, sequence: number, { type, data }: EventDraft) {
  const at = {
    specversion: '1.0',
    source: '/test',
    time: '2026-01-01T00:00:00Z',
    schemaversion: 1,
  };
  return { ...at, id: `${subject}.${sequence}`, subject, sequence, type, data };
}

const row = (sequence: number) =>
  event(BUDGET, sequence, {
    type: 'transaction.entered',
    data: {
      transactionId: `t-${sequence}`,
      date: '2025-06-01',
      accountId: 'a',
      amount: '1.00',
      type: 'standard',
      cleared: sequence % 2 === 0,
      reconciled: false,
    },
  });

export async function opened(t: ExecutionContext, mongo: TestMongo): Promise<Supervised> {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  return system;
}

/** With a budget of some rows in its log. */
export async function begun(t: ExecutionContext, mongo: TestMongo): Promise<Supervised> {
  const system = await opened(t, mongo);
  await system.append([
    event('space-1', 1, { type: 'space.created', data: { name: 'Home' } }),
    event('space-1', 2, { type: 'space.member-added', data: { userId: USER } }),
    event(BUDGET, 1, {
      type: 'budget.created',
      data: { spaceId: 'space-1', name: 'B', currency: 'EUR' },
    }),
    event(BUDGET, 2, {
      type: 'account.opened',
      data: {
        accountId: 'a',
        name: 'A',
        type: 'checking',
        onBudget: true,
        currency: null,
      },
    }),
    ...Array.from({ length: 300 }, (_, index) => row(BEFORE_ROWS + 1 + index)),
  ]);
  return system;
}

/** Appends rows and reads balances, both steadily, until it is stopped. */
export async function underLoad(t: ExecutionContext, system: Supervised) {
  const token = await system.token(USER);
  const ending = new AbortController();
  let sequence = BEFORE_ROWS + 300;
  let answers = 0;
  async function write(): Promise<void> {
    while (!ending.signal.aborted) {
      await system.append([1, 2, 3].map(step => row(sequence + step)));
      sequence += 3;
      await sleep(5);
    }
  }
  async function read(): Promise<void> {
    const isPaused = createPatience();
    let last = 0;
    while (!ending.signal.aborted) {
      const response = await fetch(`${system.address}/accounts?budget_id=${BUDGET}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const text = await response.text();
      if (isPaused(system.address, response, text)) continue;
      t.is(response.status, 200, text);
      const position = Number(response.headers.get('x-projection-position'));
      const [account] = (JSON.parse(text) as { accounts: Record<string, unknown>[] }).accounts;
      // Head and documents of two generations, or of two instants, would not agree.
      t.is(account?.transactionCount, position - BEFORE_ROWS);
      t.is(account?.balance, `${position - BEFORE_ROWS}.00`);
      t.true(position >= last, `the position stepped back from ${last} to ${position}`);
      last = position;
      answers += 1;
    }
  }
  const work = Promise.all([write(), read(), read()]);
  return {
    /** Resolves once the readers have seen so many answers. */
    async answered(wanted: number): Promise<void> {
      while (answers < wanted) await Promise.race([sleep(20), work]);
    },
    async stop(): Promise<void> {
      ending.abort();
      await work;
    },
  };
}

export async function differences(system: Supervised): Promise<number> {
  const { active } = await system.registry();
  const generation = active ?? '';
  const store = system.partsOf(generation);
  const parts = { database: system.readModel, generation, store, eventLog: system.eventLog };
  const source = { ...parts, pausesMs: PATIENT_PAUSES_MS };
  const report = await verify(
    source,
    { stream: null, sample: null },
    { signal: new AbortController().signal },
  );
  return report.differences;
}
