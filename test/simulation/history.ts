// Small random logs for the simulation: a few budgets whose events arrive twice, too early, under a foreign key, or are
// invalid, and records that are no events.
import type { LogRecord } from '../../src/event-log/event-log.ts';
import type { Random } from '../../src/process/random.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';

/** By then the first event of the stream has come, however late it was: before it a record that is no event is a stray. */
const NOISE_FROM = 6;

const INVALID: Draft = row('lost', { accountId: 'nowhere' });

/** Returns the records of a log of one partition. */
export function randomLog(random: Random): LogRecord[] {
  const streams = Array.from({ length: random.between(1, 2) }, (_, index) =>
    budgetEvents(random, `budget-${index + 1}`),
  );
  const all: LogEvent[] = [];
  while (streams.some(stream => stream.length > 0)) {
    const stream = random.pick(streams.filter(({ length }) => length > 0));
    all.push(...stream.splice(0, random.between(1, 3)));
  }
  return disordered(random, all).flatMap((event, index) => recordsOf(random, event, index));
}

function budgetEvents(random: Random, subject: string): LogEvent[] {
  const eventOf = eventMaker(subject);
  const rows: string[] = [];
  const drafts: Draft[] = [CREATED, account('home', true)];
  for (let left = random.between(3, 8); left > 0; left -= 1) drafts.push(nextDraft(random, rows));
  if (random.chance(0.15)) drafts.splice(random.between(2, drafts.length), 0, INVALID);
  if (random.chance(0.1)) drafts.push({ type: 'budget.deleted', data: {} } as Draft);
  return drafts.map(draft => eventOf(draft));
}

function nextDraft(random: Random, rows: string[]): Draft {
  const transactionId = random.pick(['', ...rows]);
  if (transactionId !== '' && random.chance(0.4)) {
    if (random.chance(0.7)) {
      const changed = row(transactionId, { amount: `-${random.between(1, 9)}.00` });
      return { ...changed, type: 'transaction.changed' } as Draft;
    }
    rows.splice(rows.indexOf(transactionId), 1);
    return { type: 'transaction.deleted', data: { transactionId } };
  }
  if (random.chance(0.2)) {
    return { type: 'account.renamed', data: { accountId: 'home', name: `Name ${rows.length}` } };
  }
  rows.push(`row-${rows.length}-${random.below(100)}`);
  return row(rows.at(-1) ?? '', { date: `202${random.between(3, 4)}-0${random.between(1, 9)}-01` });
}

/** Moves an event back by some places: the events between wait for it. */
function disordered(random: Random, events: readonly LogEvent[]): LogEvent[] {
  const all = [...events];
  if (!random.chance(0.5)) return all;
  const at = random.below(all.length);
  const [late] = all.splice(at, 1);
  if (late) all.splice(Math.min(all.length, at + random.between(1, 4)), 0, late);
  return all;
}

function recordsOf(random: Random, event: LogEvent, index: number): LogRecord[] {
  const record = { partition: 0, offset: 0, key: event.subject, value: text(event) };
  if (random.chance(0.08)) return [record, record];
  const stray = {
    ...record,
    ...random.pick([{ key: null, value: text(index) }, { key: 'other' }]),
  };
  const noise = { ...record, value: text({ subject: event.subject, noise: index }) };
  const chance = random.next();
  if (chance < 0.05) return [record, stray];
  return chance > 0.97 && event.sequence >= NOISE_FROM ? [record, noise] : [record];
}

function text(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** Numbers the records as their log does. */
export function numbered(records: readonly LogRecord[]): LogRecord[] {
  return records.map((record, offset) => ({ ...record, offset }));
}
