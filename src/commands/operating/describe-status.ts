// What `status` prints for people: a table of the generations, then everything that needs an operator.
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { describeIndexing, describeNotSwitched } from '../../generations/build-watch.ts';
import { counted, printable } from '../../process/printable.ts';
import { remediesOf } from '../../projector/operate/damage.ts';
import {
  describeEvent,
  describeWork,
  type HeldStatus,
} from '../../projector/operate/held-status.ts';
import type {
  GenerationStatus,
  HiddenStatus,
  SystemStatus,
} from '../../projector/operate/system-status.ts';
import { windowBeforeBuild } from '../../store/generation-plan.ts';
import { describePause } from '../../store/parking-limit.ts';
import { rebuildCommandOf } from '../opening/generation.ts';
import { alignColumns } from '../terminal/print.ts';

/** @param logIsKnown false: the log could not be read, so totals and lags are left out */
export function describeStatus(status: SystemStatus, logIsKnown: boolean): string[] {
  const { active, generations, rejectedVersions, settingsProblem, hidden } = status;
  if (generations.length === 0) return ['There is no read model yet: start a projector first'];
  const header = ['generation', 'version', 'state', 'applied', 'lag', 'oldest', 'held'];
  const lines = alignColumns([
    header,
    ...generations.map(generation => cells(generation, active, logIsKnown)),
  ]);
  const held = generations.flatMap(({ id, heldStreams }) =>
    heldStreams.map(held => `${id}: ${describeHeld(held)}`),
  );
  const paused = generations.flatMap(({ id, paused: pause }) => describePause(id, pause));
  const rejected = rejectedVersions.map(
    version =>
      `Version ${version} was rolled back from or given up: ${rebuildCommandOf(version)} builds it`,
  );
  const window = windowBeforeBuild(status, PROJECTIONS_VERSION);
  const waiting = window
    ? [
        `Version ${PROJECTIONS_VERSION} is built once the rollback window of ${window.id} is over: budgeting rebuild builds it now`,
      ]
    : [];
  const settings = settingsProblem === null ? [] : [settingsProblem];
  const faults = generations.flatMap(faultsOf);
  return [
    ...[...lines, ...settings, ...hidden.map(describeHidden), ...faults, ...paused],
    ...[...generations.flatMap(notes), ...waiting, ...rejected, ...held],
  ];
}

function describeHeld(held: HeldStatus): string {
  const { stream, sequence, why, since, reason, work } = held;
  const how = why === 'change' ? describeWork(work) : describeEvent(held);
  const text = `${stream} is held after sequence ${sequence} since ${since} (${why}): ${reason}`;
  return how === '' ? text : `${text}; ${how}`;
}

function describeHidden({ partition, from, offsets }: HiddenStatus): string {
  return `partition ${partition}: ${counted(offsets, 'offset')} from ${from} on are hidden by a transaction that its producer has not ended; while they are, no lag shows (docs/operations.md, Troubleshooting)`;
}

/** Returns the halted partitions, the event types that look wrong and the quarantined records, a line each. */
function faultsOf(generation: GenerationStatus): string[] {
  const { id, partitions, damaged = [], nearTypes, quarantined, quarantinedRecords } = generation;
  const halted = partitions.flatMap(({ partition, halted }) =>
    halted === null ? [] : [`${id}: partition ${partition} is halted: ${halted.reason}`],
  );
  const reasons = [...partitions.flatMap(one => one.halted?.reason ?? []), ...damaged];
  const remedies = remediesOf(reasons).map(remedy => `${id}: ${remedy}`);
  const count =
    quarantined === 0
      ? []
      : [`${id}: ${quarantined} records are quarantined: they belong to no stream`];
  const records = quarantinedRecords.map(
    ({ partition, offset, reason }) =>
      `${id}: partition ${partition}, offset ${offset}: ${reason ?? 'no event'}`,
  );
  const types = nearTypes.map(
    ({ type, known, partition, offset }) =>
      `${id}: events of type ${printable(type)} are ignored, because it is unknown; is ${known} meant? (first at partition ${partition}, offset ${offset})`,
  );
  const damages = damaged.map(damage => `${id}: ${damage}`);
  return [...halted, ...damages, ...remedies, ...types, ...count, ...records];
}

function notes({ id, state, reason, waitsFor, verified, indexing }: GenerationStatus): string[] {
  const isVerifying = state === 'verifying' && !indexing && verified;
  return [
    ...(reason === null ? [] : [`${id}: ${reason}`]),
    ...(indexing ? [`${id}: ${describeIndexing(indexing)}`] : []),
    ...(isVerifying ? [`${id}: ${verified.done} of ${verified.total} streams are verified`] : []),
    ...(waitsFor ? [describeNotSwitched(id, waitsFor)] : []),
  ];
}

function cells(generation: GenerationStatus, active: string | null, logIsKnown: boolean): string[] {
  const { id, version, state, applied, total, partitions, held } = generation;
  const oldestSeconds = Math.max(0, ...partitions.map(({ lagSeconds }) => lagSeconds));
  return [
    id === active ? `${id} *` : id,
    String(version),
    state,
    `${applied} of ${logIsKnown ? total : '?'}`,
    logIsKnown ? `${total - applied} events` : '?',
    logIsKnown ? `${oldestSeconds} s` : '?',
    String(held),
  ];
}
