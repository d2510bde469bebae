// `status`: generations, lag and held streams, as a table for people or as JSON.
import { UserError } from '../errors.ts';
import type { GenerationStatus, SystemStatus } from '../projector/system-status.ts';
import { STATUS_USAGE } from './usages.ts';

export interface StatusContext {
  readonly status: () => Promise<SystemStatus>;
  /** What the database alone knows, for where the log cannot be opened or read. */
  readonly stored?: () => Promise<SystemStatus>;
  readonly print: (line: string) => void;
}

/** @throws UserError with what is wrong with the log, once everything else was printed */
export async function runStatus(args: string[], context: StatusContext): Promise<void> {
  const { status, stored, print } = context;
  const [flag, ...rest] = args;
  if (rest.length > 0 || (flag !== undefined && flag !== '--json')) {
    throw new UserError(`Expected ${STATUS_USAGE}, got ${args.join(' ')}`);
  }
  const asJson = flag === '--json';
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

/** Where the log ends is not known, so neither is what is left to apply. */
function withoutLog(status: SystemStatus) {
  const generations = status.generations.map(({ total: _, partitions, ...generation }) => ({
    ...generation,
    partitions: partitions.map(({ end: _end, lagEvents: _events, lagSeconds: _s, ...one }) => one),
  }));
  return { ...status, generations };
}

function describe(
  { active, generations, rejectedVersions }: SystemStatus,
  logIsKnown: boolean,
): string[] {
  if (generations.length === 0) return ['There is no read model yet: start a projector first'];
  const header = ['generation', 'version', 'state', 'applied', 'lag', 'oldest', 'held'];
  const lines = table([
    header,
    ...generations.map(generation => cells(generation, active, logIsKnown)),
  ]);
  const held = generations.flatMap(({ id, heldStreams }) =>
    heldStreams.map(
      ({ stream, sequence, why, since, reason }) =>
        `${id}: ${stream} is held after sequence ${sequence} since ${since} (${why}): ${reason}`,
    ),
  );
  const failed = generations.flatMap(({ id, reason }) =>
    reason === null ? [] : [`${id}: ${reason}`],
  );
  const rejected = rejectedVersions.map(version => `Version ${version} was rolled back from`);
  return [...lines, ...haltedLines(generations), ...failed, ...rejected, ...held];
}

function haltedLines(generations: readonly GenerationStatus[]): string[] {
  return generations.flatMap(({ id, partitions }) =>
    partitions.flatMap(({ partition, halted }) =>
      halted ? [`${id}: partition ${partition} is halted: ${halted.reason}`] : [],
    ),
  );
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
