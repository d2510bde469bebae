// Reads the envelopes of a budget month by month, as they are served (rules/months.md#envelope-figures).
import { type EnvelopeMonth, envelopeMonths } from '../../../../projections/envelope-months.ts';
import { formatMoney } from '../../../../projections/money.ts';
import type { CategoryMonth } from '../../../../schemas/generated/api.ts';
import { monthNumber } from '../../../process/calendar.ts';
import { createTurn } from '../../../process/waiting.ts';
import type { Reading } from '../../snapshot.ts';
import { orderedGroups } from './categories.ts';
import { type History, NO_HISTORY, readEnvelopeHistories } from './envelope-histories.ts';
import { ANSWERS_BYTES_MAX, type RoomySource } from './room.ts';

export interface CategoryMonthsQuery {
  /** Consecutive months (`YYYY-MM`), in order. */
  readonly months: readonly string[];
  readonly includeHidden: boolean;
  /** Only this category, also a hidden one. */
  readonly categoryId: string | undefined;
}

type Names = Omit<CategoryMonth, 'assigned' | 'activity' | 'available' | 'carriesOver'>;

/** Envelopes that an answer has in all its months, with names of usual length some 60 MB of text. */
const ENVELOPES_MAX = 300_000;
/** The text of the figures of an envelope, with amounts of 19 characters. */
const FIGURES_BYTES_MAX = 128;
/** The text around the envelopes of a month. */
const MONTH_BYTES = 40;
/** What is stored of an envelope with some years of data; all of it is read, whatever months are asked for. */
const HISTORY_BYTES = 4000;
/**
 * Larger answers stay bytes: joined texts would take their size twice more. Smaller ones are like pages, and kept as texts
 * (src/http).
 */
const TEXT_BYTES_MAX = 524_288;

/**
 * Returns the body of the answer, which may be large: it is made in turns, as bytes. Instead of one that is too large, returns
 * for how many months it would have room.
 */
export async function readCategoryMonths(
  { reading, set, takeRoom }: RoomySource,
  query: CategoryMonthsQuery,
): Promise<string | Buffer | { readonly monthsMax: number }> {
  const { months, categoryId } = query;
  const envelopes = await readEnvelopes(reading, set, query);
  const heads = envelopes.map(names => JSON.stringify(names).slice(0, -1));
  const monthBytes = heads.reduce(
    (sum, head) => sum + Buffer.byteLength(head) + FIGURES_BYTES_MAX,
    MONTH_BYTES,
  );
  const roomFor = [ENVELOPES_MAX / envelopes.length, ANSWERS_BYTES_MAX / monthBytes];
  const monthsMax = Math.max(1, Math.floor(Math.min(...roomFor)));
  if (months.length > monthsMax) return { monthsMax };
  const bytesMax = months.length * monthBytes + MONTH_BYTES;
  takeRoom(bytesMax + envelopes.length * HISTORY_BYTES);
  const histories = await readEnvelopeHistories(reading, set, categoryId);
  const columns = envelopes.map(({ categoryId: id }, index) => ({
    head: heads[index] ?? '',
    history: histories.get(id) ?? NO_HISTORY,
  }));
  return await render(columns, { months, bytesMax, signal: reading.options.signal });
}

interface Column {
  /** Text of the names. */
  readonly head: string;
  readonly history: History;
}

interface RenderOptions {
  readonly months: readonly string[];
  readonly bytesMax: number;
  readonly signal: AbortSignal | undefined;
}

async function render(
  columns: readonly Column[],
  { months, bytesMax, signal }: RenderOptions,
): Promise<string | Buffer> {
  const numbers = months.map(monthNumber);
  const turn = createTurn();
  const endTurn = async () => {
    signal?.throwIfAborted();
    await turn.next();
  };
  const figures: EnvelopeMonth[][] = [];
  for (const { history } of columns) {
    figures.push(envelopeMonths(history, numbers));
    if (turn.isOver()) await endTurn();
  }
  const format = memoized(formatMoney);
  const body = Buffer.allocUnsafe(bytesMax);
  let end = body.write('{"months":[');
  for (const [index, month] of months.entries()) {
    end += body.write(`${index === 0 ? '' : ','}{"month":"${month}","categories":[`, end);
    for (const [place, { head }] of columns.entries()) {
      const comma = place === 0 ? '' : ',';
      end += body.write(`${comma}${head}${figuresText(figures[place]?.[index], format)}`, end);
      if (turn.isOver()) await endTurn();
    }
    end += body.write(']}', end);
  }
  end += body.write(']}', end);
  return end > TEXT_BYTES_MAX ? body.subarray(0, end) : body.toString('utf8', 0, end);
}

/** Returns the categories of envelope groups in the order of /categories. */
async function readEnvelopes(
  reading: Reading,
  set: string,
  { includeHidden, categoryId }: CategoryMonthsQuery,
): Promise<Names[]> {
  const groups = await orderedGroups(reading, set);
  const all = groups
    .filter(({ group }) => group.budgetMode === 'envelope')
    .flatMap(({ group, categories }) =>
      categories.map(({ id, name, hidden }) => ({
        categoryId: id,
        categoryName: name,
        groupId: group.id,
        groupName: group.name,
        hidden: hidden || group.hidden,
      })),
    );
  if (categoryId !== undefined) return all.filter(names => names.categoryId === categoryId);
  return all.filter(({ hidden }) => includeHidden || !hidden);
}

const NO_FIGURES: EnvelopeMonth = { assigned: 0, activity: 0, available: 0, carriesOver: false };

/** Returns the JSON text that follows the names of a category in a month. */
function figuresText(
  { assigned, activity, available, carriesOver } = NO_FIGURES,
  format: (amount: number) => string,
): string {
  const amounts = `,"assigned":"${format(assigned)}","activity":"${format(activity)}"`;
  return `${amounts},"available":"${format(available)}","carriesOver":${carriesOver}}`;
}

const KNOWN_MAX = 10_000;

/** Returns a format that remembers its texts: many envelopes have the same amounts, above all 0. */
function memoized(format: (amount: number) => string): (amount: number) => string {
  const known = new Map<number, string>();
  return amount => {
    const found = known.get(amount);
    if (found !== undefined) return found;
    const text = format(amount);
    if (known.size < KNOWN_MAX) known.set(amount, text);
    return text;
  };
}
