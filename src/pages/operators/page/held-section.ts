// Renders held streams and their remedies. It shows ids and reasons, and no values of events.

import { redactReason, shellArgument } from '../../../process/printable.ts';
import type { HeldEvent } from '../../../projector/operate/held-events.ts';
import {
  describeEvent,
  describeWork,
  type HeldStatus,
  skipOption,
} from '../../../projector/operate/held-status.ts';
import type { GenerationStatus } from '../../../projector/operate/system-status.ts';
import { type Html, html } from '../../kit/html.ts';
import { formatCount, formatTime } from '../format.ts';
import type { OperatorsPageFacts } from './page-facts.ts';

/** A stream, and the generations that hold it for the same reason at the same sequence. */
interface HeldIn extends HeldStatus {
  readonly generations: string[];
}

export function renderHeld({ snapshot: { projection }, heldEvents }: OperatorsPageFacts): Html {
  if (!projection) return html`<p>Not known at the moment.</p>`;
  const { generations } = projection.status;
  const most = Math.max(0, ...generations.map(({ held }) => held));
  if (most === 0) return html`<p>No stream is held.</p>`;
  const shown = heldIn(generations);
  const render = (held: HeldIn) => {
    const events = heldEvents?.get(held.generations[0] ?? '')?.get(held.stream) ?? [];
    return renderStream(held, events);
  };
  const more = generations.some(({ held, heldStreams }) => held > heldStreams.length);
  return html`<p>${generations.map(({ id, held }) => `${formatCount(held)} in ${id}`).join(', ')}. A command mends a stream in every generation of its version.</p>
<ul class="plain-list">${shown.map(render)}</ul>
<p class="quiet">Sequence: the event’s number in its stream. Type, id and time: as its producer wrote them; unknown where the record has no valid one. Records of more than 64 KiB are not read for it.</p>
${more ? html`<p>There are more: <code>npx budgeting parked list</code></p>` : null}`;
}

function heldIn(generations: readonly GenerationStatus[]): HeldIn[] {
  const shown = new Map<string, HeldIn>();
  for (const { id, heldStreams } of generations) {
    for (const held of heldStreams) {
      const key = `${held.stream} ${held.why} ${held.sequence}`;
      const known = shown.get(key);
      if (known) known.generations.push(id);
      else shown.set(key, { ...held, generations: [id] });
    }
  }
  return [...shown.values()];
}

function renderStream(held: HeldIn, events: readonly HeldEvent[]): Html {
  const { stream, partition, sequence, why, since, reason, queued, generations } = held;
  const where = `In ${generations.join(' and ')}, partition ${partition}, after sequence ${sequence}`;
  const event = describeEvent(held);
  const mends = mendsOf(held).map(
    ({ text, command }) =>
      html`<p>${text}</p>${command === null ? null : html`<pre><code>${command}</code></pre>`}`,
  );
  return html`<li class="card"><h3>${stream} <span class="state ${why}">${why}</span></h3>
<p>${redactReason(reason)}</p>
<p class="quiet">${where}, since ${formatTime(since)}, ${formatCount(queued)} waiting</p>
${event === '' ? null : html`<p class="quiet">Held ${why === 'gap' ? '' : 'by '}${event}</p>`}
${events.length === 0 ? null : renderEvents(events, held)}
${mends}</li>`;
}

/** Renders what identifies the events: they are in the log, and their contents may be personal. */
function renderEvents(events: readonly HeldEvent[], { stream, queued }: HeldIn): Html {
  const more = queued - events.length;
  const rows = events.map(({ sequence, id, type, time }) => {
    const at = time === null ? 'unknown' : formatTime(time);
    return html`<tr><th scope="row">${formatCount(sequence)}</th><td><code>${type ?? 'unknown'}</code></td><td><code>${id}</code></td><td>${at}</td></tr>`;
  });
  return html`<table class="texts">
<caption>First events waiting in ${stream}</caption>
<thead><tr><th scope="col">Sequence</th><th scope="col">Type</th><th scope="col">Id</th><th scope="col">Time</th></tr></thead>
<tbody>${rows}</tbody>
</table>
${more > 0 ? html`<p class="quiet">${formatCount(more)} more wait behind them.</p>` : null}`;
}

/** Returns the remedies for a held stream. The page shows their commands and runs none of them. Pure. */
export interface Mend {
  /** What to do, and when. */
  readonly text: string;
  /** Null if there is no command to run. */
  readonly command: string | null;
}

type Mendable = Pick<HeldStatus, 'stream' | 'why' | 'event' | 'work'>;

export function mendsOf({ stream, why, event, work }: Mendable): readonly Mend[] {
  switch (why) {
    case 'parked':
      return [
        {
          text: 'When the cause is mended, apply its queue again:',
          command: `npx budgeting parked retry ${shellArgument(stream)}`,
        },
        {
          text: 'Or drop the event that holds it:',
          command: `npx budgeting parked skip ${skipOption(event)}${shellArgument(stream)}`,
        },
      ];
    case 'gap':
      return [
        { text: 'It goes on by itself when the missing event comes.', command: null },
        {
          text: 'Or give the missing sequences up:',
          command: `npx budgeting parked skip --missing ${shellArgument(stream)}`,
        },
      ];
    case 'change':
      return [{ text: sentence(describeWork(work)), command: null }];
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
