// `status`: prints generations, lag and held streams, as a table or as JSON.

import { describeIndexing, describeNotSwitched } from '../generations/build-watch.ts';
import { UserError } from '../process/errors.ts';
import { printable } from '../process/printable.ts';
import { describeEvent, describeWork, type HeldStatus } from '../projector/operate/held-status.ts';
import { remediesOf } from '../projector/operate/remedies.ts';
import type {
  GenerationStatus,
  HiddenStatus,
  SystemStatus,
} from '../projector/operate/system-status.ts';
import { describePause } from './operating/describe-pause.ts';
import type { Invocation } from './syntax/parse-command.ts';

export interface StatusContext {
  readonly status: () => Promise<SystemStatus>;
  /** The status from the database alone; used when the log cannot be opened or read. */
  readonly stored?: () => Promise<SystemStatus>;
  readonly print: (line: string) => void;
}

/** @throws UserError that names the problem of the log, after everything that the database knows is printed */
export async function runStatus(
  { json: asJson }: Invocation<'status'>['values'],
  { status, stored, print }: StatusContext,
): Promise<void> {
  try {
    const found = await status();
    if (asJson) return print(JSON.stringify(found));
    for (const line of describe(found, true)) print(line);
  } catch (error) {
    if (!(error instanceof UserError) || !stored) throw error;
    const found = await stored();
    if (asJson) print(JSON.stringify({ ...withoutLog(found), log: error.message }));
    else for (const line of describe(found, false)) print(line);
    throw error;
  }
}

function describeHeld(held: HeldStatus): string {
  const { stream, sequence, why, since, reason, work } = held;
  const how = why === 'change' ? describeWork(work) : describeEvent(held);
  const text = `${stream} is held after sequence ${sequence} since ${since} (${why}): ${reason}`;
  return how === '' ? text : `${text}; ${how}`;
}

/** Leaves out totals and lags: they need the end of the log. */
function withoutLog(status: SystemStatus) {
  const generations = status.generations.map(({ total: _, partitions, ...generation }) => ({
    ...generation,
    partitions: partitions.map(({ end: _end, lagEvents: _events, lagSeconds: _s, ...one }) => one),
  }));
  return { ...status, generations };
}

function describe(status: SystemStatus, logIsKnown: boolean): string[] {
  const { active, generations, rejectedVersions, settingsProblem, hidden } = status;
  if (generations.length === 0) return ['There is no read model yet: start a projector first'];
  const header = ['generation', 'version', 'state', 'applied', 'lag', 'oldest', 'held'];
  const lines = table([
    header,
    ...generations.map(generation => cells(generation, active, logIsKnown)),
  ]);
  const held = generations.flatMap(({ id, heldStreams }) =>
    heldStreams.map(held => `${id}: ${describeHeld(held)}`),
  );
  const paused = generations.flatMap(({ id, paused: pause }) => describePause(id, pause));
  const rejected = rejectedVersions.map(
    version => `Version ${version} was rolled back from or given up: budgeting rebuild builds it`,
  );
  const settings = settingsProblem === null ? [] : [settingsProblem];
  const faults = generations.flatMap(faultsOf);
  return [
    ...[...lines, ...settings, ...hidden.map(describeHidden), ...faults, ...paused],
    ...[...generations.flatMap(notes), ...rejected, ...held],
  ];
}

function describeHidden({ partition, from, offsets }: HiddenStatus): string {
  return `partition ${partition}: ${offsets === 1 ? '1 offset' : `${offsets} offsets`} from ${from} on are hidden by a transaction that its producer has not ended; while they are, no lag shows (docs/operations.md, Troubleshooting)`;
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

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(row => (row[column] ?? '').length)),
  );
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
