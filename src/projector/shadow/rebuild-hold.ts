// The hold of a budget's stream for a rebuild: under a lease, so that the owner of the partition ends it if the process is
// killed.
import { randomUUID } from 'node:crypto';
import type { Head } from '../../../projections/documents.ts';
import { UserError } from '../../process/errors.ts';
import { isTransient } from '../../store/database-errors.ts';
import { loadHead } from '../../store/heads.ts';
import { untilStored } from '../../store/retry.ts';
import {
  REBUILD_LEASE_MS,
  REBUILD_LEASE_RENEWAL_MS,
  readShadowSet,
  renewLease,
  type ShadowSet,
} from '../../store/shadow-sets.ts';
import { type FoldWrites, NO_WRITES } from '../../store/writing/commit.ts';
import type { ProjectorStore } from '../store.ts';

const OWNER_PREFIX = 'rebuild ';

export interface Rebuild {
  readonly head: Head & { readonly set: string };
  readonly shadowSet: ShadowSet;
}

/**
 * Holds the stream of a budget, and begins a set for its documents.
 *
 * @throws UserError when there is no such budget, or it is being changed or rebuilt already
 */
export async function holdForRebuild(
  store: ProjectorStore,
  subject: string,
  now: Date,
): Promise<Rebuild> {
  const { shadowSets } = store.collections;
  const found = await readShadowSet(shadowSets, subject);
  const owner = `${OWNER_PREFIX}${randomUUID()}`;
  const refuse = async (error: unknown) => {
    const current = await readShadowSet(shadowSets, subject);
    const isOther = ![owner, found?.owner].includes(current?.owner);
    if (isOfRebuild(current) && isOther) throw beingRebuilt(subject, error);
  };
  const { db } = store.collections.heads;
  return await untilStored(db, () => holdOnce(store, subject, { owner, now }), refuse);
}

interface Hold {
  readonly owner: string;
  readonly now: Date;
}

async function holdOnce(
  store: ProjectorStore,
  subject: string,
  { owner, now }: Hold,
): Promise<Rebuild> {
  const before = await readShadowSet(store.collections.shadowSets, subject);
  const head = await loadHead(store.collections.heads, subject);
  if (!head?.budget || head.set === null)
    throw new UserError(`Unknown or deleted budget ${subject}`);
  // The commit of an earlier attempt took place, but its answer got lost.
  if (before?.owner === owner) return { head: { ...head, set: head.set }, shadowSet: before };
  if (before?.kind === 'event') {
    throw new UserError(`Budget ${subject} is held for a big change, which goes on by itself`);
  }
  const shadowSet: ShadowSet = {
    subject,
    kind: 'rebuild',
    partition: head.partition,
    owner,
    set: `${head.set.split('.', 1)[0]}.${randomUUID().slice(0, 8)}`,
    begun: true,
    cursor: null,
    absolute: 0,
  };
  const held = {
    // Not that of an earlier rebuild: its last drain would take this hold for its own, and free the stream.
    since: now.toISOString(),
    why: 'change',
    reason: 'An operator has it rebuilt',
    queued: head.held?.queued ?? 0,
  } as const;
  const holding = { ...head, set: head.set, held };
  // The set of an earlier attempt is swept.
  const taken: Partial<FoldWrites> = before
    ? { shadowStep: { from: before, to: shadowSet }, swept: [before.set] }
    : { begunSets: [shadowSet] };
  const heads = [{ loaded: head, now: holding }];
  const also: FoldWrites['also'] = session =>
    renewLease(store.collections.shadowSets, shadowSet, session);
  await store.session.commit({ ...NO_WRITES, heads, ...taken, also });
  return { head: holding, shadowSet };
}

/** Renews the lease of a hold until the timer is cleared. */
export function keepLease({ collections }: ProjectorStore, shadowSet: ShadowSet): NodeJS.Timeout {
  // A renewal that fails is followed by others; a step under a lost lease fails too.
  const renew = () => void renewLease(collections.shadowSets, shadowSet).catch(() => {});
  return setInterval(renew, REBUILD_LEASE_RENEWAL_MS).unref();
}

/** Does nothing when the set is swapped in, or another rebuild has taken its place. */
export async function discard(
  { collections, session }: ProjectorStore,
  given: ShadowSet,
): Promise<void> {
  const left = await readShadowSet(collections.shadowSets, given.subject);
  if (left?.set !== given.set) return;
  const step = { from: left, to: null };
  await session.commit({ ...NO_WRITES, swept: [left.set], shadowStep: step });
}

/** Returns the error to report when a rebuild failed. Of two rebuilds of one budget the later one goes on. */
export async function interruption(
  { collections }: ProjectorStore,
  { head, shadowSet: { subject, owner, set } }: Rebuild,
  error: unknown,
): Promise<unknown> {
  if (!isTransient(error)) return error;
  const current = await readShadowSet(collections.shadowSets, subject);
  if (current?.owner === owner) return error;
  const now = await loadHead(collections.heads, subject);
  // The set was swapped in, although the answer got lost.
  if (now?.set === set) return error;
  if (isOfRebuild(current)) return beingRebuilt(subject, error);
  if (now?.set !== head.set) return new UserError(changedMeanwhile(subject), { cause: error });
  const message = `The rebuild of budget ${subject} was silent for ${REBUILD_LEASE_MS / 1000} s, so a projector has ended it; run it again`;
  return new UserError(message, { cause: error });
}

export function changedMeanwhile(subject: string): string {
  return `Budget ${subject} was rebuilt, changed or deleted by somebody else meanwhile, or its generation was dropped; run it again if it is needed`;
}

function isOfRebuild(shadowSet: ShadowSet | null): boolean {
  return shadowSet?.owner.startsWith(OWNER_PREFIX) === true;
}

function beingRebuilt(subject: string, cause: unknown): UserError {
  const message = `Somebody else is rebuilding budget ${subject} right now; wait until that is done`;
  return new UserError(message, { cause });
}
