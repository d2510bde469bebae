// From built to active: a generation that has caught up is verified and then switched to.
import { setTimeout as sleep } from 'node:timers/promises';
import { changeRegistry, type GenerationRecord, readRegistry } from '../../read-store/registry.ts';
import { NotReadyError, switchGeneration } from '../../read-store/switch-generation.ts';
import { recordVerification } from '../../read-store/verifications.ts';
import { progressOf } from '../catch-up.ts';
import { differenceText } from '../verify/difference.ts';
import type { VerifyReport } from '../verify/report.ts';
import { verify } from '../verify/verify.ts';
import { switched, withFailure, withState } from './plan.ts';
import type { GenerationsContext } from './supervisor.ts';

/** How long one round waits for a generation to reach the end that the log had at its beginning. */
const CATCH_UP_MS_MAX = 5000;
const CATCH_UP_POLL_MS = 50;
const SAMPLE_STREAMS = 50;
/** A process that verifies says so again and again; once it falls silent, another one may try. */
const LEASE_MS = 30_000;
const LEASE_RENEWAL_MS = 10_000;
const SWITCH_RETRY_MS = 50;
/** How long a switch is tried before the generation is given up for this round. */
const SWITCH_MS_MAX = 30_000;

/** Promotes a generation if it is ready; answers whether it is active now. */
export async function promote(
  context: GenerationsContext,
  { id }: GenerationRecord,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await caughtUp(context, id, signal))) return false;
  if (!(await takeOn(context, id))) return false;
  const renewal = setInterval(() => void renew(context, id).catch(() => {}), LEASE_RENEWAL_MS);
  try {
    return await verifyAndSwitch(context, id, signal);
  } finally {
    clearInterval(renewal);
    await giveBack(context, id);
  }
}

async function verifyAndSwitch(
  context: GenerationsContext,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { named, differences, damage, damages } = await verifySample(context, id, signal);
  const [first] = named;
  const [lost] = damage;
  if (!first && lost === undefined) return await switchTo(context, id, signal);
  const reason =
    lost === undefined && first
      ? `Verification found a difference: ${differenceText(first)}`
      : `Verification found the log damaged: ${lost}`;
  // The values stay out of the log: they may be somebody's own words.
  const found = { generation: id, stream: first?.stream, differences, damages };
  context.logger.error(found, 'Verification found differences');
  await changeRegistry(context.database, registry =>
    withFailure(registry, id, reason, context.now()),
  );
  return false;
}

// Everything that the log held when it was asked; what comes meanwhile is for the switch to compare.
async function caughtUp(
  { log, partsOf }: GenerationsContext,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { collections } = partsOf(id);
  const { total: wanted } = await progressOf(collections, log);
  for (let waitedMs = 0; waitedMs <= CATCH_UP_MS_MAX; waitedMs += CATCH_UP_POLL_MS) {
    if (signal.aborted) return false;
    const { applied } = await progressOf(collections, log);
    if (applied >= wanted) return true;
    await sleep(CATCH_UP_POLL_MS);
  }
  return false;
}

// One process verifies; the others wait for what comes of it.
async function takeOn({ database, now }: GenerationsContext, id: string): Promise<boolean> {
  const at = now();
  let taken = false;
  await changeRegistry(database, registry => {
    const own = registry.generations.find(generation => generation.id === id);
    const isFree = (own?.verifyingUntil ?? at) <= at;
    taken = own?.state === 'building' || (own?.state === 'verifying' && isFree);
    return taken
      ? withState(registry, id, { state: 'verifying', verifyingUntil: leaseFrom(at) })
      : null;
  });
  return taken;
}

async function renew({ database, now }: GenerationsContext, id: string): Promise<void> {
  await changeRegistry(database, registry => {
    const isOurs = registry.generations.some(own => own.id === id && own.state === 'verifying');
    return isOurs ? withState(registry, id, { verifyingUntil: leaseFrom(now()) }) : null;
  });
}

async function giveBack({ database }: GenerationsContext, id: string): Promise<void> {
  await changeRegistry(database, registry => {
    const isOurs = registry.generations.some(own => own.id === id && own.state === 'verifying');
    return isOurs ? withState(registry, id, { state: 'building', verifyingUntil: null }) : null;
  });
}

function leaseFrom(at: Date): Date {
  return new Date(at.getTime() + LEASE_MS);
}

async function verifySample(
  { database, log, partsOf, now }: GenerationsContext,
  generation: string,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const source = { database, generation, store: partsOf(generation), log };
  const report = await verify(source, { stream: null, sample: SAMPLE_STREAMS }, signal);
  const { streams, documents, differences, damages } = report;
  const at = now();
  const counts = { streams, documents, differences, damages };
  await recordVerification(database, { generation, scope: 'sample', at, ...counts });
  return report;
}

async function switchTo(
  { client, database, logger, now }: GenerationsContext,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const endsAtMs = now().getTime() + SWITCH_MS_MAX;
  for (;;) {
    const registry = await readRegistry(database);
    // It may have failed while it was verified.
    if (!registry.generations.some(own => own.id === id && own.state === 'verifying')) return false;
    try {
      await switchGeneration(client, database, registry, switched(registry, id, now()));
      logger.info({ generation: id }, 'Generation is active');
      return true;
    } catch (error) {
      if (!(error instanceof NotReadyError)) throw error;
      if (signal.aborted || now().getTime() > endsAtMs) {
        logger.warn({ generation: id }, `Not switched yet: ${error.message}`);
        return false;
      }
    }
    await sleep(SWITCH_RETRY_MS);
  }
}
