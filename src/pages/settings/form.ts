// Forms as they are sent: limited in size, taken apart strictly, with known fields only.
import bodyParser from 'koa-bodyparser';
import { BUDGETS_MAX } from '../../access/token-request.ts';
import { parseQuery } from '../../http/query-string.ts';
import type { Context } from '../../http/request-state.ts';
import { badForm, PageError } from './page-error.ts';

export interface Form {
  /** The value of a field that stands in the form once; throws where it does not. */
  one(name: string): string;
  /** All values of a field, in their order. */
  all(name: string): readonly string[];
}

type Fields = ReadonlyMap<string, readonly string[]>;

const FIELDS_MAX = BUDGETS_MAX + 50;
const TYPE = 'application/x-www-form-urlencoded';

// Without `qs` it would quietly drop fields beyond a thousand, and make objects of odd names.
const parserOptions = { enableTypes: ['form'], qs: { parse: parseForm } };

/** A form of one size. `bytesMax` bounds what is read; `names` are the fields it may have. */
export function createFormReader(
  bytesMax: number,
  names: readonly string[],
): (ctx: Context) => Promise<Form> {
  const options = { ...parserOptions, formLimit: `${bytesMax}b` };
  const parse = bodyParser(options);
  return async function readForm(ctx) {
    if (ctx.is(TYPE) !== TYPE || ctx.get('Content-Encoding') !== '') {
      throw new PageError('Form not understood', 'Expected the form of a page.', { status: 415 });
    }
    try {
      await parse(ctx, async () => {});
    } catch (error) {
      refuse(error);
    }
    const fields = ctx.request.body as Fields;
    for (const name of fields.keys()) if (!names.includes(name)) throw badForm();
    return toForm(fields);
  };
}

/** What the parser throws may hold the whole form: it goes no further. */
function refuse(error: unknown): never {
  if (error instanceof PageError) throw error;
  if ((error as { status?: unknown }).status !== 413) throw badForm();
  throw new PageError('Form too large', 'Nothing was changed.', { status: 413 });
}

function toForm(fields: Fields): Form {
  return {
    one(name) {
      const [value, ...more] = fields.get(name) ?? [];
      if (value === undefined || more.length > 0) throw badForm();
      return value;
    },
    all: name => fields.get(name) ?? [],
  };
}

export function parseForm(text: string): Fields {
  // Browsers send ASCII alone; anything else was made by hand.
  if (/[^\x20-\x7e]/.test(text)) throw badForm();
  const fields = new Map<string, string[]>();
  // Before they are decoded, because a form of `&` alone would have a hundred thousand.
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) throw badForm();
  for (const { name, value } of parseQuery(text)) {
    if (value === null) throw badForm();
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}
