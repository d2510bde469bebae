// Acts on held streams in all generations that hold them, and describes them.
import type { Head } from '../../../projections/documents.ts';
import { UserError } from '../../process/errors.ts';
import { shellArgument } from '../../process/printable.ts';
import { NO_TIME } from '../../projector/fold/delivery.ts';
import {
  describeEvent,
  describeWork,
  type HeldStatus,
  heldStatuses,
  skipOption,
} from '../../projector/operate/held-status.ts';
import { HolderChangedError, retryHeld } from '../../projector/operate/parked.ts';
import { CHANGED_ROWS_MAX } from '../../projector/projector.ts';
import type { ProjectorStore } from '../../projector/store.ts';
import { loadHead } from '../../store/heads.ts';
import { otherVersion } from '../opening/generation.ts';
import type { ParkedContext, ParkedGeneration } from '../opening/parked-generations.ts';

/** Acts on a held stream. Returns its head afterwards. */
type StreamAction = (store: ProjectorStore) => Promise<Head>;

export const LIMITS = { rowsMax: CHANGED_ROWS_MAX };

/**
 * Acts on a stream in every generation of this version in which it is held. A skip is decided once, in the first of
 * them; the others retry their queue, which applies the stored decision.
 *
 * @throws UserError when every generation refuses, or only generations of another version hold the stream
 */
export async function actOn(
  subject: string,
  first: StreamAction,
  context: ParkedContext,
): Promise<void> {
  const { generations, version, print } = context;
  const own = generations.filter(generation => generation.version === version);
  const foreign = generations.filter(generation => generation.version !== version);
  const held = await heldIn(own, subject);
  const untouched = await heldIn(foreign, subject);
  if (held.length === 0) {
    const refused = untouched[0] ?? (own.length === 0 ? foreign[0] : undefined);
    if (refused) throw otherVersion(refused, version);
  }
  const refusals: { generation: ParkedGeneration; error: UserError }[] = [];
  let act = first;
  // If no generation holds the stream, acting on the first one throws the error that says so.
  const tried = held.length > 0 ? held : own.slice(0, 1);
  for (const generation of tried) {
    try {
      const head = await act(generation.store);
      print(labelled(generation, await describeOutcome(generation.store, head)));
      act = drainHeld(subject);
    } catch (error) {
      // Another generation may be held by something that the operator never saw.
      if (!(error instanceof UserError) || error instanceof HolderChangedError) throw error;
      refusals.push({ generation, error });
    }
  }
  if (refusals.length === tried.length) throw refusals[0]?.error;
  for (const { generation, error } of refusals) print(labelled(generation, error.message));
  for (const generation of untouched) {
    print(
      `${subject} stays as it is in ${generation.id}. ${otherVersion(generation, version).message}`,
    );
  }
}

/** As a retry, but the owner of the partition may have drained the queue since a decision. */
function drainHeld(subject: string): StreamAction {
  return async store => {
    const head = await loadHead(store.collections.heads, subject);
    return head && !head.held ? head : retryHeld(store, subject, LIMITS);
  };
}

async function heldIn(
  generations: readonly ParkedGeneration[],
  subject: string,
): Promise<ParkedGeneration[]> {
  const held: ParkedGeneration[] = [];
  for (const generation of generations) {
    const head = await loadHead(generation.store.collections.heads, subject);
    if (head?.held) held.push(generation);
  }
  return held;
}

/** Returns the line behind the id of its generation; lines of the active generation stay bare. */
export function labelled({ id, answers }: ParkedGeneration, line: string): string {
  return answers ? line : `${id}: ${line}`;
}

async function describeOutcome({ collections }: ProjectorStore, head: Head): Promise<string> {
  const [held] = await heldStatuses(collections, [head]);
  return held ? describeHeld(held) : `${head.id} goes on at sequence ${head.sequence}`;
}

export function describeHeld(held: HeldStatus): string {
  const { stream, sequence, since, why, reason, queued } = held;
  const waits = queued === 1 ? '1 event waits' : `${queued} events wait`;
  // An event whose own time is invalid, in a log that keeps none, has no time to show.
  const from = since === NO_TIME ? '' : ` since ${since}`;
  return `${stream} is held after sequence ${sequence}${from} (${why}): ${[reason, describeEvent(held), waits, remedyFor(held)].filter(Boolean).join('; ')}`;
}

function remedyFor({ stream, why, work, event }: HeldStatus): string {
  const id = shellArgument(stream);
  switch (why) {
    case 'parked':
      return `budgeting parked retry ${id}, or budgeting parked skip ${skipOption(event)}${id}`;
    case 'gap':
      return `append what is missing, or budgeting parked skip --missing ${id}`;
    case 'change':
      return describeWork(work);
  }
}
