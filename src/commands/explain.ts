// `explain`: prints what one event changed in the served figures, so that support can tell why a balance is what it is.
import { UserError } from '../process/errors.ts';
import { cell } from '../process/printable.ts';
import type { FigureChange } from '../verify/explain/changed-figures.ts';
import type { Explanation } from '../verify/explain/explain.ts';
import { source } from './opening/openings.ts';
import type { SourceContext } from './opening/store.ts';
import { command, JSON_OUTPUT, STREAM } from './syntax/command.ts';
import { printFor } from './terminal/print.ts';

type ExplainContext = Pick<SourceContext, 'source' | 'signal' | 'print'>;

/** Changes that are printed; `--json` prints all. */
const LINES_MAX = 200;

export const explainCommand = command({
  name: 'explain',
  usage: 'STREAM [--at SEQUENCE] [--json]',
  summary: 'prints what one event changed in the figures that readers serve',
  details:
    'The events of the stream are folded in memory, up to the one before it and up to it; nothing is stored. Balances include rows of all dates.',
  operands: STREAM,
  options: {
    at: { value: 'SEQUENCE', about: 'Sequence of the event; default: the last one applied' },
    json: JSON_OUTPUT,
  },
  refuse({ at }) {
    if (at === undefined || /^[1-9]\d{0,9}$/.test(String(at))) return null;
    return `Expected --at to be a sequence from 1, got ${at}`;
  },
  examples: ['explain household', 'explain household --at 42'],
  async run({ operands: [stream = ''], values }, { source, signal, print }: ExplainContext) {
    const { explain } = await import('../verify/explain/explain.ts');
    const sequence = values.at === undefined ? null : Number(values.at);
    const explanation = await explain(source, { stream, sequence }, signal).catch(error => {
      throw signal.aborted ? new UserError('Stopped before all events were folded') : error;
    });
    if (values.json) print(JSON.stringify(explanation));
    else for (const line of describe(explanation)) print(cell(line));
  },
  opens: (environment, run) =>
    source(environment, context => run({ ...context, print: printFor(environment.values) })),
});

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
  const range = until === null ? `${month} and all later months` : `${month} to ${until}`;
  if (by === null) return `${of}: ${figure} of ${range} ${change}`;
  const signed = by.startsWith('-') ? by : `+${by}`;
  return `${of}: ${figure} of ${range} ${signed} (${month}: ${change})`;
}
