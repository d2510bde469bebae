// What the tests of the recipes ask the service themselves, and what they let happen to it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { BUDGET, type Scene } from './recipe-scene.ts';

export const query = (path: string, parameters: Record<string, string>) =>
  `${path}?${new URLSearchParams({ budget_id: BUDGET, ...parameters })}`;
export const utcDay = () => new Date().toISOString().slice(0, 10);

interface Transaction {
  readonly id: string;
  readonly date: string;
  readonly type: string;
  readonly payeeId: string | null;
  readonly payeeName: string | null;
  readonly memo: string;
  readonly accountId: string;
  readonly categoryId: string | null;
  readonly categoryName: string | null;
  readonly labels: readonly { readonly name: string }[];
  readonly amount: string;
  readonly transferAccountId: string | null;
}

export async function transactionsFrom(
  scene: Scene,
  parameters: Record<string, string>,
): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (;;) {
    const page = query('/transactions', { ...parameters, offset: String(all.length) });
    const { transactions } = await scene.read<{ transactions: Transaction[] }>(page);
    all.push(...transactions);
    if (transactions.length < 1000) return all;
  }
}

export async function leftInGroceries(scene: Scene): Promise<string> {
  const path = query('/category-months', { start_month: 'current', end_month: 'current' });
  type Envelopes = { categories: { categoryName: string; available: string }[] };
  const { months } = await scene.read<{ months: Envelopes[] }>(path);
  const found = months[0]?.categories.find(one => one.categoryName === 'Groceries');
  return found?.available ?? 'none';
}

/** A purchase today. */
export const purchase = (scene: Scene, transactionId: string, amount: string) =>
  scene.happen('transaction.entered', {
    transactionId,
    date: utcDay(),
    accountId: 'account-joint',
    payeeId: null,
    categoryId: 'category-groceries',
    memo: 'A feast',
    amount,
    amountNative: null,
    exchangeRate: null,
    type: 'standard',
    cleared: false,
    reconciled: false,
    transferAccountId: null,
    splitGroupId: null,
    labelIds: [],
  });

/** Collects messages; while `phone.status` is another than 200 they fail. */
export async function startPhone(t: ExecutionContext) {
  const phone = { status: 200, messages: [] as string[], address: '' };
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    if (phone.status === 200) phone.messages.push(text);
    response.writeHead(phone.status).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  phone.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return phone;
}
