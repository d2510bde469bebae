// `parked list|retry|skip`: what operators do about streams that are held.
import type { Head } from '../../projections/documents.ts';
import { listHeld, retryHeld, skipHeld } from '../projector/parked.ts';
import { DOCUMENTS_MAX } from '../projector/projector.ts';
import type { ProjectorStore } from '../projector/store.ts';
import { PARKED_USAGE } from './usages.ts';
import { parseWords, usageError } from './words.ts';

export interface ParkedContext {
  readonly store: ProjectorStore;
  readonly now: () => Date;
  readonly print: (line: string) => void;
}

const LIMITS = { documentsMax: DOCUMENTS_MAX };

export async function runParked(args: string[], context: ParkedContext): Promise<void> {
  const [action, ...rest] = args;
  switch (action) {
    case 'list':
      return list(rest, context);
    case 'retry': {
      const { subject } = streamOf(rest, false);
      return report(await retryHeld(context.store, subject, LIMITS), context);
    }
    case 'skip': {
      const { subject, missing } = streamOf(rest, true);
      const head = await skipHeld(context.store, subject, missing, LIMITS, context.now());
      return report(head, context);
    }
    default:
      throw usageError(
        `Expected parked list, retry or skip, got ${action ?? 'nothing'}`,
        PARKED_USAGE,
      );
  }
}

async function list(args: string[], { store, print }: ParkedContext): Promise<void> {
  const { values } = parseWords({ args, options: { json: { type: 'boolean' } } }, PARKED_USAGE);
  const heads = await listHeld(store);
  if (values.json) {
    return print(JSON.stringify({ streams: heads.map(shown) }));
  }
  if (heads.length === 0) return print('No stream is held');
  for (const head of heads) print(describe(head));
}

function shown({ id: stream, sequence, held }: Head) {
  const { entry: _, ...why } = held ?? {};
  return { stream, sequence, ...why };
}

function report(head: Head, { print }: ParkedContext): void {
  print(head.held ? describe(head) : `${head.id} goes on at sequence ${head.sequence}`);
}

function describe({ id, sequence, held }: Head): string {
  if (!held) return `${id} is at sequence ${sequence}`;
  const waits = held.queued === 1 ? '1 event waits' : `${held.queued} events wait`;
  const mend =
    held.why === 'gap'
      ? `append what is missing, or budgeting parked skip ${id} --missing`
      : `budgeting parked retry ${id}, or budgeting parked skip ${id}`;
  return `${id} is held after sequence ${sequence} since ${held.since} (${held.why}): ${held.reason}; ${waits}; ${mend}`;
}

function streamOf(args: string[], mayMiss: boolean): { subject: string; missing: boolean } {
  const missing = { missing: { type: 'boolean' } } as const;
  const { values, positionals } = parseWords(
    { args, options: mayMiss ? missing : {}, allowPositionals: true },
    PARKED_USAGE,
  );
  const [subject] = positionals;
  if (subject === undefined || positionals.length > 1) {
    throw usageError(`Expected the id of one stream, got ${positionals.length}`, PARKED_USAGE);
  }
  return { subject, missing: 'missing' in values && values.missing === true };
}
