// Offsets that are left for lag tools: the newest ones go out by themselves.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createLagReport } from '../../src/event-log/kafka/membership.ts';
import { createLogger } from '../../src/process/log.ts';

type Sender = Parameters<ReturnType<typeof createLagReport>['use']>[0];

function scene() {
  const sent: string[] = [];
  const refusals = [false];
  const report = createLagReport('t', createLogger('silent'), 20);
  report.use({
    async commitOffsets(offsets: readonly { partition: number; offset: string }[]) {
      if (refusals.shift()) throw new Error('The group is rebalancing');
      sent.push(offsets.map(({ partition, offset }) => `${partition}:${offset}`).join(' '));
    },
  } as unknown as Sender);
  const comes = async (text: string) => {
    while (!sent.includes(text)) await sleep(5);
  };
  return { report, sent, refusals, comes };
}

test('the last offsets of a burst are sent, though nothing follows', async t => {
  const { report, sent, comes } = scene();
  report.set(0, 10);
  await comes('0:10');
  report.set(0, 300);
  report.set(0, 500);
  report.set(1, 70);
  await comes('0:500 1:70');
  t.deepEqual(sent, ['0:10', '0:500 1:70']);
});

test('offsets that were refused go with the next ones', async t => {
  const { report, sent, refusals, comes } = scene();
  refusals[0] = true;
  report.set(0, 10);
  report.set(1, 5);
  while (refusals.length > 0) await sleep(5);
  report.set(0, 11);
  await comes('0:11 1:5');
  t.deepEqual(sent, ['0:11 1:5']);
});
