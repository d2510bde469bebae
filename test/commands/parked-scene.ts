// Held streams of some generations, and the lines that an operator's command prints for them.
import type {
  ParkedContext,
  ParkedGeneration,
} from '../../src/commands/opening/parked-generations.ts';
import type { Draft } from '../histories/row-actions.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import type { PartitionScene } from '../projector/partition-scene.ts';
import { invokeLine } from './invoke.ts';

export const NOW = new Date('2026-03-14T09:26:53.589Z');

/** The version of the projections in the operator's program. */
export const VERSION = 2;

export function answering(
  { store }: Pick<PartitionScene, 'store'>,
  version = VERSION,
): ParkedGeneration {
  return { id: 'g1', version, answers: true, store };
}

export async function printedBy(
  args: string[],
  ...generations: readonly ParkedGeneration[]
): Promise<string[]> {
  const printed: string[] = [];
  const print = (line: string) => printed.push(line);
  const context: ParkedContext = { generations, version: VERSION, now: () => NOW, print };
  await invokeLine(['parked', ...args], context);
  return printed;
}

export function story(subject: string, ...drafts: readonly Draft[]): LogEvent[] {
  const eventOf = eventMaker(subject);
  return drafts.map(draft => eventOf(draft));
}

export const BAD = story(
  'budget-1',
  CREATED,
  payee('a'),
  payee('a'),
  payee('b'),
  payee('b'),
  payee('c'),
);
const [created, first, second, third] = story(
  'budget-2',
  CREATED,
  ...['a', 'b', 'c'].map(id => payee(id)),
);
export const WITH_GAP = [created, second, third] as LogEvent[];
/** The event that is missing in WITH_GAP. */
export const MISSING = first;
