// Renders the generations of the read model: progress, rate, partitions and last verifications of each.
import { describeIndexing } from '../../../generations/build-watch.ts';
import { redactReason } from '../../../process/printable.ts';
import { remediesOf } from '../../../projector/operate/damage.ts';
import type {
  GenerationStatus,
  PartitionStatus,
} from '../../../projector/operate/system-status.ts';
import type { Pause } from '../../../store/collections.ts';
import type { GenerationRecord } from '../../../store/registry.ts';
import type { Verification } from '../../../store/verifications.ts';
import { type Html, html } from '../../kit/html.ts';
import { formatCount, formatDuration, formatRate, formatTime } from '../format.ts';
import type { Sample } from '../samples.ts';
import type { OperatorsPageFacts } from './page-facts.ts';

const LEGEND = html`<p class="quiet">Partition: <em>here</em> if this process applies it. Next: offset of the next record to apply. End: offset that the next new record gets. Lag: records from next to end. Oldest: time since the first of them was written.</p>`;

export function renderGenerations(facts: OperatorsPageFacts): Html {
  const { snapshot } = facts;
  if (!snapshot.registry) return html`<p>Not known while the database does not answer.</p>`;
  const { generations } = snapshot.registry;
  if (generations.length === 0) return html`<p>There is none yet: no projector has run.</p>`;
  const legend = snapshot.projection ? LEGEND : null;
  return html`${generations.map(record => renderGeneration(record, facts))}${legend}`;
}

function renderGeneration(record: GenerationRecord, facts: OperatorsPageFacts): Html {
  const { id, version, state, reason } = record;
  const status = facts.snapshot.projection?.status.generations.find(
    generation => generation.id === id,
  );
  return html`<section class="card" aria-labelledby="generation-${id}">
<h3 id="generation-${id}">${id} <span class="state ${state}">${state}</span></h3>
<p class="quiet">Version ${version} of the projections, begun ${formatDuration(sinceSeconds(record.startedAt, facts))} ago</p>
${reason === null ? null : html`<p class="bad">${redactReason(reason)}</p>`}
${status?.paused ? renderPause(status.paused) : null}
${renderWait(record)}
${status ? renderProgress(status, facts) : null}
${renderVerifying(record)}
${verificationsOf(id, facts)}
${status ? renderFaults(status) : null}
${status ? renderPartitions(status, facts) : null}
</section>`;
}

function renderPause({ since, reason, examples }: Pause): Html {
  const items = examples.map(
    example => html`<li>${example.stream}: ${redactReason(example.reason)}</li>`,
  );
  return html`<p class="bad">Paused since ${formatTime(since.toISOString())}: ${reason}.</p>
${items.length === 0 ? null : html`<ul class="plain-list">${items}</ul>`}
<p>When the cause is mended, or accepted, let it go on:</p><pre><code>npx budgeting parked resume</code></pre>`;
}

function renderWait({ waitsFor }: GenerationRecord): Html | null {
  if (waitsFor === null) return null;
  return html`<p class="bad">Not switched to: ${redactReason(waitsFor)}</p>
<p>Nothing has to be done about the generation that answers. To give this build up:</p>
<pre><code>npx budgeting rebuild --abandon</code></pre>`;
}

function renderVerifying({ id, state, verified, indexing }: GenerationRecord): Html | null {
  if (indexing) return html`<p>${describeIndexing(indexing)}</p>`;
  if (state !== 'verifying' || !verified) return null;
  const { done, total } = verified;
  return html`<p><progress max="${Math.max(total, 1)}" value="${done}" aria-label="Verification of ${id}"></progress>
${formatCount(done)} of ${formatCount(total)} streams are verified</p>`;
}

function renderProgress(
  { id, applied, total }: GenerationStatus,
  { history }: OperatorsPageFacts,
): Html {
  const rate = rateOf(history, id);
  const speed = rate === null ? null : `${formatRate(rate.eventsPerSecond)} a second lately`;
  const left = rate?.secondsLeft == null ? null : `about ${formatDuration(rate.secondsLeft)} left`;
  const percent = total === 0 ? 100 : Math.floor((applied / total) * 100);
  const parts = [
    `${formatCount(applied)} of ${formatCount(total)} events (${percent} %)`,
    speed,
    left,
  ].filter(part => part !== null);
  return html`<p><progress max="${Math.max(total, 1)}" value="${total === 0 ? 1 : applied}" aria-label="Progress of ${id}"></progress>
${parts.join(', ')}</p>`;
}

function verificationsOf(id: string, facts: OperatorsPageFacts): Html | null {
  const { verifications = [] } = facts.snapshot.projection ?? {};
  const found = verifications.filter(({ generation }) => generation === id);
  if (found.length === 0) return null;
  const items = found.map(verification => {
    const { differences, damages, at } = verification;
    const damage = damages === 0 ? '' : ', the log is damaged';
    const what = `${describeDifferences(differences)}${damage}`;
    const mark = differences + damages === 0 ? 'good' : 'bad';
    const ago = formatDuration(sinceSeconds(at, facts));
    return html`<li>Verified ${describeScope(verification)} ${ago} ago: <span class="${mark}">${what}</span></li>`;
  });
  return html`<ul class="plain-list">${items}</ul>`;
}

function describeDifferences(count: number): string {
  if (count === 0) return 'no difference';
  return count === 1 ? '1 difference' : `${formatCount(count)} differences`;
}

function describeScope({ scope, streams }: Verification): string {
  if (scope === 'stream') return 'one stream';
  return `${scope === 'all' ? 'all' : 'a sample of'} ${formatCount(streams)} streams`;
}

/** Renders the halted partitions and the quarantined records. */
function renderFaults({ partitions, quarantined, quarantinedRecords }: GenerationStatus): Html {
  const halted = partitions.flatMap(({ partition, halted }) =>
    halted === null
      ? []
      : [html`<li class="bad">Partition ${partition} is halted: ${halted.reason}</li>`],
  );
  const remedies = remediesOf(partitions.flatMap(one => one.halted?.reason ?? []));
  const remedyText = html`<p>Nothing more is applied from what is halted: ${remedies.join('; ')}.</p>`;
  const records = quarantinedRecords.map(
    ({ partition, offset, reason }) =>
      html`<li>Partition ${partition}, offset ${offset}: ${redactReason(reason ?? 'no event')}</li>`,
  );
  return html`${halted.length === 0 ? null : html`<ul class="plain-list">${halted}</ul>${remedyText}`}
${quarantined === 0 ? null : html`<p>${formatCount(quarantined)} records belong to no stream and are quarantined. The last of them:</p><ul class="plain-list">${records}</ul>`}`;
}

function renderPartitions({ id, partitions }: GenerationStatus, { own }: OperatorsPageFacts): Html {
  return html`<table>
<caption>Partitions of ${id}</caption>
<thead><tr><th scope="col">Partition</th><th scope="col">Next</th><th scope="col">End</th><th scope="col">Lag</th><th scope="col">Oldest</th></tr></thead>
<tbody>${partitions.map(partition => renderPartition(partition, own.state(id, partition.partition)))}</tbody>
</table>`;
}

function renderPartition(status: PartitionStatus, own: 'claimed' | 'halted' | null): Html {
  const { partition, next, end, lagEvents, lagSeconds } = status;
  const labels = { claimed: 'here', halted: 'halted' };
  const shown = status.halted === null ? own : 'halted';
  const mark =
    shown && html`<span class="${shown === 'halted' ? 'bad' : 'quiet'}">${labels[shown]}</span>`;
  return html`<tr><th scope="row">${partition} ${mark}</th>
<td>${formatCount(next)}</td><td>${formatCount(end)}</td><td>${formatCount(lagEvents)}</td><td>${formatDuration(lagSeconds)}</td></tr>`;
}

function sinceSeconds(at: Date, { snapshot }: OperatorsPageFacts): number {
  return (snapshot.at.getTime() - at.getTime()) / 1000;
}

/** Computes how fast a generation applies events, and the time until it has caught up. Pure. */
export interface ProjectionRate {
  readonly eventsPerSecond: number;
  /** Null if no event was applied in the window, or none is left. */
  readonly secondsLeft: number | null;
}

/** Older samples say little about the current rate. */
const WINDOW_MS = 60_000;

/** Returns the rate over the last minute; null until the generation has two samples in it. */
export function rateOf(samples: readonly Sample[], generation: string): ProjectionRate | null {
  const last = samples.at(-1);
  const now = last?.generations.get(generation);
  if (!last || !now) return null;
  const first = samples.find(
    ({ atMs, generations }) => last.atMs - atMs <= WINDOW_MS && generations.has(generation),
  );
  const before = first?.generations.get(generation);
  if (!first || !before || first.atMs === last.atMs) return null;
  const seconds = (last.atMs - first.atMs) / 1000;
  const eventsPerSecond = Math.max(0, now.applied - before.applied) / seconds;
  const moves = eventsPerSecond > 0 && now.lagEvents > 0;
  return { eventsPerSecond, secondsLeft: moves ? now.lagEvents / eventsPerSecond : null };
}
