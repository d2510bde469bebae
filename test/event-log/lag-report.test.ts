// Offsets that are left for lag tools: the newest ones go out by themselves.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createLagReport } from '../../src/event-log/kafka/lag-report.ts';
import { createLogger } from '../../src/process/log.ts';
import { gate } from '../helpers/gate.ts';

type Sender = Parameters<ReturnType<typeof createLagReport>['use']>[0];

function scene() {
  const sent: string[] = [];
  const refusals = [false];
  const report = createLagReport('t', createLogger('silent'), 20);
  report.own([0, 1]);
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

test('offsets that were refused are sent again, though nothing follows', async t => {
  const { report, refusals, comes } = scene();
  refusals[0] = true;
  report.set(0, 10);
  await comes('0:10');
  t.deepEqual(refusals, []);
});

test('a partition that another member has is reported no more', async t => {
  const { report, sent } = scene();
  await report.flush();
  report.set(0, 10);
  report.set(1, 5);
  report.own([1]);
  // The last batch of a partition may end after it was taken away.
  report.set(0, 12);
  await report.flush();
  t.deepEqual(sent, ['1:5']);
});

test('commits go out one after the other, and a late refusal sets nothing back', async t => {
  const report = createLagReport('t', createLogger('silent'), 20);
  report.own([0, 1]);
  const began: string[] = [];
  const first = gate();
  report.use({
    async commitOffsets(offsets: readonly { offset: string }[]) {
      began.push(...offsets.map(({ offset }) => offset));
      if (began.length > 1) return;
      await first.opened;
      throw new Error('slow, and refused');
    },
  } as unknown as Sender);
  report.set(0, 100);
  const refused = report.flush();
  while (began.length === 0) await sleep(1);
  report.set(0, 150);
  const done = report.flush();
  await sleep(20);
  t.deepEqual(began, ['100']);
  first.open();
  await refused;
  await done;
  await report.flush();
  t.deepEqual(began, ['100', '150']);
});

test('without a consumer nothing is sent, and nothing is lost', async t => {
  const { report, sent } = scene();
  report.use(null);
  report.set(0, 10);
  await report.flush();
  t.deepEqual(sent, []);
  report.use({
    async commitOffsets(offsets: readonly { offset: string }[]) {
      sent.push(...offsets.map(({ offset }) => offset));
    },
  } as unknown as Sender);
  // By itself, though nothing follows.
  while (sent.length === 0) await sleep(5);
  t.deepEqual(sent, ['10']);
});
