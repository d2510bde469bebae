// Expectations while the product halts or pauses on purpose, and of the messages to operators.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventMaker } from '../../projections/story.ts';
import type { Supervised } from '../product.ts';
import type { Stage } from './stage.ts';

/** The product checks its log every half minute; a busy machine takes longer. */
const NOTICED_MS_MAX = 400_000;
const POLL_MS = 250;
/** The exit code of `verify` for damage of the log. */
const LOG_DAMAGED = 3;
const PATHS = ['accounts', 'transactions', 'months/2025-06'];

export interface PartitionStatus {
  readonly partition: number;
  readonly next: number;
  readonly lagEvents?: number;
  readonly halted?: unknown;
}

export interface GenerationStatus {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly partitions: readonly PartitionStatus[];
  readonly held: number;
  readonly paused?: { readonly reason: string } | null;
}

interface Status {
  readonly active: string | null;
  readonly generations: readonly GenerationStatus[];
}

/** Polls until the check returns null; in the end blames the last text that it returned. */
export async function expectSoon(
  { blame, msMax = NOTICED_MS_MAX }: Pick<Stage, 'blame'> & { readonly msMax?: number },
  what: string,
  check: () => Promise<string | null>,
): Promise<boolean> {
  let last: string | null = 'nothing was seen';
  for (const deadline = Date.now() + msMax; Date.now() < deadline; await sleep(POLL_MS)) {
    last = await check().catch((error: Error) => error.message);
    if (last === null) return true;
  }
  blame(`${what}: ${last}`);
  return false;
}

export async function statusOf(stage: Stage): Promise<Status> {
  const { out, err } = await stage.budgeting('status', '--json');
  if (out.trim() === '') throw new Error(`status: ${err}`);
  return JSON.parse(out);
}

export async function activeStatus(stage: Stage): Promise<GenerationStatus> {
  const { active, generations } = await statusOf(stage);
  const found = generations.find(({ id }) => id === active);
  if (!found) throw new Error('No generation is active');
  return found;
}

/** Returns null if the process is not ready and its answer matches. */
export async function notReady(process: Supervised, pattern: RegExp): Promise<string | null> {
  const { status, text } = await readiness(process);
  return status !== 200 && pattern.test(text) ? null : `readyz is ${status}: ${text}`;
}

export async function ready(process: Supervised): Promise<string | null> {
  const { status, text } = await readiness(process);
  return status === 200 ? null : `readyz is ${status}: ${text}`;
}

async function readiness(process: Supervised): Promise<{ status: number; text: string }> {
  const address = process.address('Operators');
  if (address === null) return { status: 0, text: `${process.name} listens nowhere` };
  const answer = await fetch(`${address}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

/** Expects that exactly these partitions are halted, and that every command and process reports it. */
export async function expectHalted(stage: Stage, partitions: readonly number[]): Promise<void> {
  const { projectors, blame } = stage;
  await expectSoon(stage, `status reports partitions ${partitions} as halted`, async () => {
    const found = await activeStatus(stage);
    const halted = found.partitions.filter(({ halted }) => Boolean(halted));
    const haltedPartitions = halted.map(({ partition }) => partition);
    const says = JSON.stringify(halted).includes('DATA_LOSS');
    return String(haltedPartitions) === String(partitions) && says
      ? null
      : JSON.stringify(found.partitions);
  });
  await expectSoon(stage, 'a projector is not ready, as partitions are halted', async () => {
    const seen = await Promise.all(projectors.map(one => notReady(one, /halted/)));
    return seen.includes(null) ? null : seen.join(', ');
  });
  const verified = await stage.budgeting('verify');
  if (verified.code !== LOG_DAMAGED) {
    blame(`verify of a damaged log ended with ${verified.code}: ${lastOf(verified)}`);
  }
  if (/rebuild mends it/.test(verified.out + verified.err)) {
    blame(`verify of a damaged log advises a rebuild: ${lastOf(verified)}`);
  }
  await expectRefused(stage);
}

/** Expects that appends are refused. */
export async function expectRefused(stage: Stage): Promise<void> {
  const file = join(tmpdir(), `budgeting-chaos-${randomBytes(6).toString('hex')}.ndjson`);
  const event = eventMaker('space-refused')({ type: 'space.created', data: { name: 'Refused' } });
  await writeFile(file, `${JSON.stringify(event)}\n`);
  const ended = await stage.budgeting('append', file).finally(() => rm(file));
  if (ended.code === 0) stage.blame(`append into a damaged log was not refused: ${ended.out}`);
  else if (/\n\s+at /.test(ended.err)) stage.blame(`append printed a stack: ${ended.err}`);
}

/** Returns the API's answers about these budgets, by path and budget. */
export async function answersOf(
  { reader, token, budgets }: Stage,
  isAsked: (budget: string) => boolean = () => true,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const budget of budgets.filter(isAsked)) {
    for (const path of PATHS) {
      const address = `${reader.address('Read API')}/api/v1/${path}?budget_id=${budget}`;
      const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
      answers.set(`${path} of ${budget}`, `${answer.status} ${await answer.text()}`);
    }
  }
  return answers;
}

/** Expects the same answers as before. */
export async function expectSameAnswers(
  stage: Stage,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const now = await answersOf(stage);
  for (const [what, answer] of before) {
    if (now.get(what) === answer) continue;
    stage.blame(`the answer of ${what} changed from ${answer} to ${now.get(what)}`);
  }
}

/** Expects that partitions are applied to the end of the log. */
export async function expectApplied(stage: Stage, partitions: readonly number[]): Promise<void> {
  await expectSoon(stage, `partitions ${partitions} go on`, async () => {
    const { checkpoints } = await stage.collections();
    const behind: string[] = [];
    for (const partition of partitions) {
      const { end } = await stage.eventLog.bounds(partition);
      const next = (await checkpoints.findOne({ _id: partition }))?.next ?? 0;
      if (next !== end) behind.push(`partition ${partition} is at ${next} of ${end}`);
    }
    return behind.length === 0 ? null : behind.join(', ');
  });
}

function lastOf({ out, err }: { readonly out: string; readonly err: string }): string {
  return `${out.slice(-500)} ${err.slice(-500)}`;
}
