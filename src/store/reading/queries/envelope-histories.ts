// Reads what is stored of the envelopes of a budget in all their months, as bytes: a budget may have very many months.
import type { EnvelopeHistory } from '../../../../projections/envelope-months.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import { inTurns } from '../../../process/waiting.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import {
  asciiAt,
  booleanAt,
  DOCUMENT,
  eachField,
  fieldName,
  integerIn,
  isNamed,
  STRING,
} from './bson.ts';
import { documentPlaces, rawBatches } from './raw-batches.ts';

/** Months are numbers, as `monthNumber` of src/process/calendar.ts returns them. */
export type History = EnvelopeHistory<number>;

export const NO_HISTORY: History = { months: [], assigned: [], spent: [], marks: [] };

const ID = fieldName('id');
const CELLS = fieldName('cells');
const CARRY = fieldName('carry');
const ASSIGNED = fieldName('assigned');
const SPENT = fieldName('spent');

/**
 * Returns by category what is stored of all its months; of one category where `categoryId` is given.
 */
export async function readEnvelopeHistories(
  reading: Reading,
  set: string,
  categoryId?: string,
): Promise<Map<string, History>> {
  const batches = await rawBatches(reading, {
    find: reading.collections.categoryMonths.collectionName,
    filter: categoryId === undefined ? { set } : { _id: keyOf(set, categoryId) },
    ...ONE_REPLY,
  });
  const documents = batches.flatMap(batch =>
    documentPlaces(batch).map(place => ({ batch, place })),
  );
  const histories = new Map<string, History>();
  await inTurns(documents, ({ batch, place }) => {
    const { id, history } = historyAt(batch, place);
    histories.set(id, history);
  });
  return histories;
}

function historyAt(bytes: Buffer, document: number): { id: string; history: History } {
  let id = '';
  const cells = { months: [] as number[], assigned: [] as number[], spent: [] as number[] };
  const marks = new Map<number, boolean>();
  eachField(bytes, document, (name, value, type) => {
    if (type === STRING && isNamed(bytes, name, ID)) id = asciiAt(bytes, value);
    else if (type === DOCUMENT && isNamed(bytes, name, CELLS)) {
      eachField(bytes, value, (month, cell) => {
        cells.months.push(monthNumberAt(bytes, month));
        cells.assigned.push(integerIn(bytes, cell, ASSIGNED));
        cells.spent.push(integerIn(bytes, cell, SPENT));
      });
    } else if (type === DOCUMENT && isNamed(bytes, name, CARRY)) {
      eachField(bytes, value, (month, flag) => {
        marks.set(monthNumberAt(bytes, month), booleanAt(bytes, flag));
      });
    }
  });
  return { id, history: inOrder(cells, marks) };
}

/** An update appends the months that it adds, so stored months may be in any order. */
function inOrder(cells: Omit<History, 'marks'>, marks: ReadonlyMap<number, boolean>): History {
  const { months, assigned, spent } = cells;
  const isOrdered = months.every((month, index) => month > (months[index - 1] ?? -1));
  if (isOrdered && marks.size === 0) return { ...cells, marks: [] };
  const places = new Map(months.map((month, index) => [month, index]));
  const all = [...new Set([...months, ...marks.keys()])].sort((a, b) => a - b);
  const amountOf = (amounts: readonly number[], month: number) => {
    const place = places.get(month);
    return place === undefined ? 0 : (amounts[place] ?? 0);
  };
  return {
    months: all,
    assigned: all.map(month => amountOf(assigned, month)),
    spent: all.map(month => amountOf(spent, month)),
    marks: all.map(month => marks.get(month)),
  };
}

/** Returns the number of a month that is written `YYYY-MM`. */
function monthNumberAt(bytes: Buffer, at: number): number {
  const digit = (place: number) => (bytes[at + place] ?? ZERO) - ZERO;
  const year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3);
  return year * 12 + digit(5) * 10 + digit(6) - 1;
}

const ZERO = 0x30;
