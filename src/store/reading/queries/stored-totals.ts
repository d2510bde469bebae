// Reads the stored sums of months. A long time has very many of them, so they are read as bytes.
import {
  ofTotalsKey,
  type Part,
  totalsKey,
} from '../../../../projections/aggregates/month-sums.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { eachField, fieldName, integerIn, nameAt } from './bson.ts';
import type { GroupTotals } from './grouped-totals.ts';
import { eachRawBatch, eachRecord } from './raw-batches.ts';
import type { StoredMonths } from './sums-source.ts';

const COUNT = fieldName('count');
const INFLOW = fieldName('inflow');
const OUTFLOW = fieldName('outflow');

const PARTS: readonly Part[] = [true, false].flatMap(onBudget =>
  [true, false].map(isTransfer => ({ onBudget, isTransfer })),
);

/**
 * Calls `visit` with the totals of each thing in each month (`YYYY-MM`), in no order; a thing may come more than once in
 * a month. `isWanted` chooses the parts of the rows that count.
 */
export async function eachStoredTotals(
  reading: Reading,
  set: string,
  {
    months: { kind, id, from, to },
    isWanted,
    visit,
    makeRoom,
  }: {
    readonly months: StoredMonths;
    readonly isWanted: (part: Part) => boolean;
    readonly visit: (totals: GroupTotals & { readonly period: string }) => void;
    /** Called with the bytes of each reply before it is visited; it may throw. */
    readonly makeRoom?: (bytes: number) => void;
  },
): Promise<void> {
  const keys = id === null ? [] : PARTS.filter(isWanted).map(part => totalsKey(part, id));
  const paths = id === null ? [kind] : keys.map(key => `${kind}.${key}`);
  const command = {
    find: reading.collections.monthSums.collectionName,
    // The character `0` comes after `/`, which ends the month.
    filter: { _id: { $gte: keyOf(set, `${from}/`), $lt: keyOf(set, `${to}0`) } },
    projection: { _id: 0, id: 1, ...Object.fromEntries(paths.map(path => [path, 1])) },
    ...ONE_REPLY,
  };
  const record = fieldName(kind);
  // The same things come in each month.
  const known = new Map<string, ReturnType<typeof ofTotalsKey>>();
  const totalsOf = (name: string) => {
    const found = known.get(name) ?? ofTotalsKey(name);
    known.set(name, found);
    return found;
  };
  for await (const batch of eachRawBatch(reading, command)) {
    makeRoom?.(batch.length);
    await eachRecord(batch, record, (pageId, totals) => {
      const period = pageId.slice(0, 'YYYY-MM'.length);
      eachField(batch, totals, (name, at) => {
        const key = totalsOf(nameAt(batch, name));
        if (!isWanted(key)) return;
        visit({
          period,
          id: key.id,
          count: integerIn(batch, at, COUNT),
          inflow: integerIn(batch, at, INFLOW),
          outflow: integerIn(batch, at, OUTFLOW),
        });
      });
    });
  }
}
