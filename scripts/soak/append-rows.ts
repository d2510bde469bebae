// Appends rows to a budget of the sample while it is read, as its producer would.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createEventBuilder } from '../../src/process/event-builder.ts';
import { CLI, type SampleService } from '../sample/start-sample.ts';

const BUDGET = 'household';
const ACCOUNT = 'account-joint';
const ROWS = 20;

/** Appends one batch, and waits until it is applied. */
export async function appendRows({ api, token, env }: SampleService): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${api}/labels?budget_id=${BUDGET}`, { headers });
  await answer.text();
  const first = Number(answer.headers.get('x-projection-position')) + 1;
  const time = new Date().toISOString();
  const build = createEventBuilder({ subject: BUDGET, source: '/soak', first, run: time });
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const transactionId = `soak-${first + index}`;
    const plain = { type: 'standard', cleared: false, reconciled: false } as const;
    const data = { transactionId, date: time.slice(0, 10), accountId: ACCOUNT, amount: '-1.00' };
    return JSON.stringify(build('transaction.entered', { ...data, ...plain }, time));
  });
  const child = spawn(process.execPath, [CLI, 'append', '-', '--wait'], {
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(`${lines.join('\n')}\n`);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`Expected append to end with 0, got ${code}`);
}
