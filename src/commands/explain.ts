// `explain`: prints what one event changed in the served figures, so that support can tell why a balance is what it is.
import { UserError } from '../process/errors.ts';
import type { FigureChange } from '../verify/explain/changed-figures.ts';
import { type Explanation, explain } from '../verify/explain/explain.ts';
import type { VerifySource } from '../verify/source.ts';
import type { Invocation } from './syntax/parse-command.ts';

export interface ExplainContext {
  readonly source: VerifySource;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** Changes that are printed; `--json` prints all. */
const LINES_MAX = 200;

export async function runExplain(
  { operands: [stream = ''], values }: Invocation<'explain'>,
  { source, signal, print }: ExplainContext,
): Promise<void> {
  const sequence = values.at === undefined ? null : Number(values.at);
  const explanation = await explain(source, { stream, sequence }, signal).catch(error => {
    throw signal.aborted ? new UserError('Stopped before all events were folded') : error;
  });
  if (values.json) print(JSON.stringify(explanation));
  else for (const line of describe(explanation)) print(line);
}

function describe({ stream, sequence, event, without, changes }: Explanation): string[] {
  const what = event
    ? `${event.type ?? 'an event of an unknown type'}, event ${event.id} of ${event.time} (partition ${event.partition}, offset ${event.offset})`
    : 'no event';
  const more = changes.length - LINES_MAX;
  return [
    `${stream}, sequence ${sequence}: ${what}`,
    ...(without === null ? [] : [without]),
    ...(changes.length === 0 ? ['No served figure changed'] : []),
    ...changes.slice(0, LINES_MAX).map(describeChange),
    ...(more > 0 ? [`and ${more} more changes (--json prints all)`] : []),
  ];
}

function describeChange({ of, figure, month, until, before, after, by }: FigureChange): string {
  const change = `${before ?? 'nothing'} -> ${after ?? 'nothing'}`;
  if (month === null) return `${of}: ${figure} ${change}`;
  if (until === month) return `${of}: ${figure} of ${month} ${change}`;
  const signed = by?.startsWith('-') ? by : `+${by}`;
  const range = until === null ? `${month} and all later months` : `${month} to ${until}`;
  return `${of}: ${figure} of ${range} ${signed} (${month}: ${change})`;
}
