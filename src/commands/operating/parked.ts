// `parked list|retry|skip|resume`: lets operators list, retry and skip held streams, and resume a paused generation.
import type { Head } from '../../../projections/documents.ts';
import { UserError } from '../../process/errors.ts';
import { shellArgument } from '../../process/shell-argument.ts';
import {
  describeEvent,
  describeWork,
  type HeldStatus,
  heldStatuses,
  skipOption,
} from '../../projector/operate/held-status.ts';
import {
  HolderChangedError,
  listHeld,
  retryHeld,
  skipHeld,
} from '../../projector/operate/parked.ts';
import { DOCUMENTS_MAX } from '../../projector/projector.ts';
import type { ProjectorStore } from '../../projector/store.ts';
import { loadHead } from '../../store/heads.ts';
import { WINDOW_SECONDS } from '../../store/parking-limit.ts';
import { readPause, resumeGeneration } from '../../store/writing/parking-alarm.ts';
import { otherVersion } from '../services/generations.ts';
import type { Invocation } from '../syntax/parse-command.ts';
import { describePause } from './describe-pause.ts';

export interface ParkedGeneration {
  readonly id: string;
  readonly version: number;
  /** Whether it is the active one. */
  readonly answers: boolean;
  readonly store: ProjectorStore;
}

export interface ParkedContext {
  /** All generations that projectors feed, the active one first. */
  readonly generations: readonly ParkedGeneration[];
  /** The version of the projections in this program; generations of another version are listed, never changed. */
  readonly version: number;
  readonly now: () => Date;
  readonly print: (line: string) => void;
}

/** Acts on a held stream. Returns its head afterwards. */
type StreamAction = (store: ProjectorStore) => Promise<Head>;

const LIMITS = { documentsMax: DOCUMENTS_MAX };

export type ParkedInvocation = Invocation<
  'parked list' | 'parked retry' | 'parked skip' | 'parked resume'
>;

export async function runParked(
  invocation: ParkedInvocation,
  context: ParkedContext,
): Promise<void> {
  const [subject = ''] = invocation.operands;
  switch (invocation.name) {
    case 'parked list':
      return list(invocation.values.json === true, context);
    case 'parked retry':
      return actOn(subject, retry(subject), context);
    case 'parked skip': {
      const { missing = false, event } = invocation.values;
      const skip: StreamAction = store =>
        skipHeld(store, subject, { missing, event, limits: LIMITS, now: context.now() });
      return actOn(subject, skip, context);
    }
    case 'parked resume':
      return resume(context);
  }
}

async function list(asJson: boolean, { generations, print }: ParkedContext): Promise<void> {
  const found: { generation: ParkedGeneration; held: HeldStatus }[] = [];
  for (const generation of generations) {
    const { collections } = generation.store;
    const statuses = await heldStatuses(collections, await listHeld(generation.store));
    for (const held of statuses) found.push({ generation, held });
  }
  if (asJson) {
    const streams = found.map(({ generation, held }) => ({ generation: generation.id, ...held }));
    return print(JSON.stringify({ streams }));
  }
  for (const { id, store } of generations) {
    for (const line of describePause(id, await readPause(store.collections))) print(line);
  }
  if (found.length === 0) return print('No stream is held');
  for (const { generation, held } of found) print(labelled(generation, describe(held)));
}

/**
 * Acts on a stream in every generation of this version in which it is held. A skip is decided once, in the first of
 * them; the others retry their queue, which applies the stored decision.
 *
 * @throws UserError when every generation refuses, or only generations of another version hold the stream
 */
async function actOn(subject: string, first: StreamAction, context: ParkedContext): Promise<void> {
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

/** Resumes every paused generation of this version. */
async function resume({ generations, version, print }: ParkedContext): Promise<void> {
  const untouched: ParkedGeneration[] = [];
  let count = 0;
  for (const generation of generations) {
    const { id, store } = generation;
    if (generation.version !== version) {
      if (await readPause(store.collections)) untouched.push(generation);
      continue;
    }
    const ended = await resumeGeneration(store.collections);
    if (!ended) continue;
    count += 1;
    const since = ended.since.toISOString();
    print(`${id} goes on: it was paused since ${since}, as ${ended.reason}`);
    print(`${id}: the alarm is off until no stream has been parked for ${WINDOW_SECONDS} s`);
  }
  const [refused] = untouched;
  if (count === 0 && refused) throw otherVersion(refused, version);
  for (const generation of untouched) {
    print(`${generation.id} stays paused. ${otherVersion(generation, version).message}`);
  }
  if (count === 0) print('Nothing is paused');
}

function retry(subject: string): StreamAction {
  return store => retryHeld(store, subject, LIMITS);
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
function labelled({ id, answers }: ParkedGeneration, line: string): string {
  return answers ? line : `${id}: ${line}`;
}

async function describeOutcome({ collections }: ProjectorStore, head: Head): Promise<string> {
  const [held] = await heldStatuses(collections, [head]);
  return held ? describe(held) : `${head.id} goes on at sequence ${head.sequence}`;
}

function describe(held: HeldStatus): string {
  const { stream, sequence, since, why, reason, queued } = held;
  const waits = queued === 1 ? '1 event waits' : `${queued} events wait`;
  return `${stream} is held after sequence ${sequence} since ${since} (${why}): ${[reason, describeEvent(held), waits, remedyFor(held)].filter(Boolean).join('; ')}`;
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
