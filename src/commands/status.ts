// `status`: generations, lag and held streams, as a table for people or as JSON.
import { UserError } from '../errors.ts';
import { notSwitchedWords } from '../projector/generations/build-watch.ts';
import type { GenerationStatus, SystemStatus } from '../projector/system-status.ts';
import { STATUS_USAGE } from './usages.ts';

export interface StatusContext {
  readonly status: () => Promise<SystemStatus>;
  readonly print: (line: string) => void;
}

export async function runStatus(args: string[], { status, print }: StatusContext): Promise<void> {
  const [flag, ...rest] = args;
  if (rest.length > 0 || (flag !== undefined && flag !== '--json')) {
    throw new UserError(`Expected ${STATUS_USAGE}, got ${args.join(' ')}`);
  }
  const found = await status();
  if (flag === '--json') return print(JSON.stringify(found));
  for (const line of describe(found)) print(line);
}

function describe({ active, generations, rejectedVersions }: SystemStatus): string[] {
  if (generations.length === 0) return ['There is no read model yet: start a projector first'];
  const header = ['generation', 'version', 'state', 'applied', 'lag', 'oldest', 'held'];
  const lines = table([header, ...generations.map(generation => cells(generation, active))]);
  const held = generations.flatMap(({ id, heldStreams }) =>
    heldStreams.map(
      ({ stream, sequence, why, since, reason }) =>
        `${id}: ${stream} is held after sequence ${sequence} since ${since} (${why}): ${reason}`,
    ),
  );
  const rejected = rejectedVersions.map(
    version => `Version ${version} was rolled back from or given up: budgeting rebuild builds it`,
  );
  return [...lines, ...generations.flatMap(notes), ...rejected, ...held];
}

function notes({ id, state, reason, waitsFor, verified }: GenerationStatus): string[] {
  const isVerifying = state === 'verifying' && verified;
  return [
    ...(reason === null ? [] : [`${id}: ${reason}`]),
    ...(isVerifying ? [`${id}: ${verified.done} of ${verified.total} streams are verified`] : []),
    ...(waitsFor ? [notSwitchedWords(id, waitsFor)] : []),
  ];
}

function cells(generation: GenerationStatus, active: string | null): string[] {
  const { id, version, state, applied, total, partitions, held } = generation;
  const oldestSeconds = Math.max(0, ...partitions.map(({ lagSeconds }) => lagSeconds));
  return [
    id === active ? `${id} *` : id,
    String(version),
    state,
    `${applied} of ${total}`,
    `${total - applied} events`,
    `${oldestSeconds} s`,
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
