// The checks of tokens that outlast a request: what ends, how often is asked, and an outage.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Token } from '../../src/access/token.ts';
import { createTokenChecks } from '../../src/access/token-checks.ts';
import { test } from '../helpers/file-test.ts';
import { memoryLog } from '../http/memory-log.ts';

const CHECK_MS = 20;

function tokenOf(id: string, expiresAt = new Date('2100-01-01')): Token {
  return {
    id,
    last4: 'x7Qd',
    name: 'Test',
    owner: 'anna',
    scopes: ['budgets:read'],
    budgets: null,
    createdAt: new Date(0),
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  };
}

/** Returns once something has happened. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(1);
}

function start(checkMs = CHECK_MS) {
  const revoked = new Set<string>();
  const seen: { asked: (readonly string[])[]; isAway: boolean } = { asked: [], isAway: false };
  const { logger, lines } = memoryLog();
  const tokens = {
    async unrevoked(ids: readonly string[]) {
      seen.asked.push(ids);
      await sleep(CHECK_MS / 2);
      if (seen.isAway) throw new Error('away');
      return new Set(ids.filter(id => !revoked.has(id)));
    },
  };
  const clock = () => new Date('2026-03-14');
  const checks = createTokenChecks({ tokens, clock, logger, checkMs });
  const ended: string[] = [];
  return { checks, seen, revoked, lines, ended };
}

test('revoked, expired and missing tokens end; others go on', async t => {
  const { checks, revoked, ended } = start();
  for (const id of ['good', 'revoked', 'also revoked']) {
    checks.watch(tokenOf(id), () => ended.push(id));
  }
  checks.watch(tokenOf('revoked'), () => ended.push('revoked, second stream'));
  checks.watch(tokenOf('expired', new Date('2026-03-13')), () => ended.push('expired'));
  const stop = checks.watch(tokenOf('stopped'), () => ended.push('stopped'));
  stop();
  for (const id of ['revoked', 'also revoked', 'stopped']) revoked.add(id);
  await until(() => ended.length >= 4);
  t.deepEqual(
    ended.sort(),
    ['also revoked', 'expired', 'revoked', 'revoked, second stream'],
    'each once',
  );
});

test('a stream that begins while its token is asked about is asked about next', async t => {
  const { checks, revoked, ended, seen } = start();
  const stop = checks.watch(tokenOf('t'), () => ended.push('first'));
  revoked.add('t');
  await until(() => seen.asked.length > 0);
  // The answer is still on its way: it comes in a later turn.
  stop();
  checks.watch(tokenOf('t'), () => ended.push('second'));
  await until(() => ended.length > 0);
  t.deepEqual(ended, ['second']);
});

test('one question for all tokens of the process, and none while nobody watches', async t => {
  const { checks, seen } = start();
  const stops = Array.from({ length: 40 }, (_, index) =>
    checks.watch(tokenOf(`t${index % 4}`), () => {}),
  );
  await until(() => seen.asked.length > 2);
  for (const asked of seen.asked) t.deepEqual(asked, ['t0', 't1', 't2', 't3']);
  for (const stop of stops) stop();
  await sleep(2 * CHECK_MS);
  const { length } = seen.asked;
  await sleep(5 * CHECK_MS);
  t.is(seen.asked.length, length);
  checks.watch(tokenOf('again'), () => {});
  await until(() => seen.asked.length > length);
  t.deepEqual(seen.asked.at(-1), ['again']);
});

test('while the database is away nothing ends; afterwards everything that should', async t => {
  const { checks, seen, revoked, ended, lines } = start();
  seen.isAway = true;
  checks.watch(tokenOf('revoked'), () => ended.push('revoked'));
  revoked.add('revoked');
  await until(() => lines.some(({ msg }) => msg.includes('not checked')));
  t.deepEqual(ended, []);
  await t.throwsAsync(checks.refresh(), { message: 'away' });
  seen.isAway = false;
  await until(() => ended.length > 0);
  t.deepEqual(ended, ['revoked']);
});

test('refresh asks only where the last check is old', async t => {
  // No check comes by itself.
  const { checks, seen, revoked, ended } = start(3_600_000);
  checks.watch(tokenOf('one'), () => ended.push('one'));
  revoked.add('one');
  await checks.refresh();
  t.deepEqual(ended, ['one']);
  await checks.refresh();
  t.is(seen.asked.length, 1);
});
