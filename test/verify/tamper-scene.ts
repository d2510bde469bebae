// A read model with a stream of each kind, which a test changes manually and which is restored afterwards.
import type { Collection, Document } from 'mongodb';
import type { GenerationCollections } from '../../src/store/collections.ts';
import { differenceText } from '../../src/verify/difference.ts';
import type { VerifyReport } from '../../src/verify/report.ts';
import { verify } from '../../src/verify/verify.ts';
import { startMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import type { Draft } from '../histories/row-actions.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { type RunningSystem, startSystem } from '../system/running-system.ts';

/** A collection whose documents a test may change in any way. */
export type Anything = Collection<Document & { _id: string | number }>;
export type Everything = Readonly<Record<keyof GenerationCollections, Anything>>;

export interface TamperScene {
  readonly system: RunningSystem;
  readonly collections: Everything;
  readonly verify: (request?: Partial<Parameters<typeof verify>[1]>) => Promise<VerifyReport>;
  /** Applies a change, verifies, and restores everything; returns the differences as text. */
  found(tamper: (collections: Everything) => Promise<unknown>): Promise<string[]>;
  stop(): Promise<void>;
}

const story = (subject: string, ...drafts: readonly (Draft | null)[]): LogEvent[] => {
  const eventOf = eventMaker(subject);
  // Null is a sequence that never arrives.
  const events = drafts.map(draft => eventOf(draft ?? payee('none')));
  return events.filter((_, index) => drafts[index]);
};

const [created, a, b] = story('conflict', CREATED, payee('a'), payee('b'));
const DELETED: Draft = { type: 'budget.deleted', data: {} };

/** Streams in every possible state. */
const STATES: readonly (LogEvent | undefined)[] = [
  ...story('parked', CREATED, payee('a'), payee('a'), payee('b'), payee('c')),
  ...story('gap', CREATED, payee('a'), null, payee('b'), payee('c')),
  ...story('deleted', CREATED, payee('a'), DELETED),
  ...story('waits', null, CREATED),
  ...story('numberless', CREATED),
  created,
  a,
  b && { ...b, sequence: 2 },
];

export async function createTamperScene(): Promise<TamperScene> {
  const mongo = await startMongo();
  const system = await startSystem(mongo);
  const sizes = { events: 400, budgets: 2, spaces: 1, users: 3 };
  const shares = { disorderShare: 0.02, duplicateShare: 0.02 };
  await system.append(eventsOf(randomHistory({ seed: 31, ...sizes, ...shares })));
  await system.append(STATES.filter(event => event !== undefined));
  await system.source.eventLog.append([
    { key: 'numberless', value: '{"subject":"numberless"}' },
    { key: 'stray', value: '{"no":"subject"}' },
  ]);
  await system.projected();
  const collections = system.store.collections as unknown as Everything;
  // Verification waits for the queues of gaps, which may still be drained.
  await verify(
    system.source,
    { stream: null, sample: null },
    { signal: new AbortController().signal },
  );
  const kept = await keep(collections);
  const source = { ...system.source, pausesMs: [] };
  const never = new AbortController().signal;
  const run: TamperScene['verify'] = request =>
    verify(source, { stream: null, sample: null, ...request }, { signal: never });
  return {
    system,
    collections,
    verify: run,
    async found(tamper) {
      try {
        await tamper(collections);
        return (await run()).named.map(differenceText);
      } finally {
        await putBack(collections, kept);
      }
    },
    async stop() {
      await system.stop();
      await mongo.stop();
    },
  };
}

type Kept = ReadonlyMap<string, readonly (Document & { _id: string | number })[]>;

async function keep(collections: Everything): Promise<Kept> {
  const kept = new Map<string, (Document & { _id: string | number })[]>();
  for (const [name, collection] of Object.entries(collections)) {
    // Without conversion of their types.
    kept.set(name, await collection.find({}, { promoteValues: false }).toArray());
  }
  return kept;
}

async function putBack(collections: Everything, kept: Kept): Promise<void> {
  await Promise.all(
    Object.entries(collections).map(async ([name, collection]) => {
      await collection.deleteMany({});
      const documents = kept.get(name) ?? [];
      if (documents.length > 0) await collection.insertMany([...documents]);
    }),
  );
}

/** Returns another value of the same type. */
export function altered(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return `${value}x`;
  if (Array.isArray(value)) return [...value, 'x'];
  if (typeof value === 'object' && value !== null) return { ...value, x: 1 };
  return 'x';
}

/** A manual change, and the difference that reports it. */
export interface Tampering {
  readonly kind: string;
  readonly tamper: (collections: Everything) => Promise<unknown>;
  readonly difference: RegExp;
}

/** Returns a tampering that sets fields of a head. */
export function set(stream: string, fields: object, difference: string): Tampering {
  return {
    kind: `${stream} ${JSON.stringify(fields)}`,
    tamper: ({ heads }) => heads.updateOne({ _id: stream }, { $set: fields }),
    difference: new RegExp(`^${stream}: ${difference}`),
  };
}

/** Applies all of them at once, to different documents or streams; returns those that no difference reports. */
export async function missedOf(
  scene: TamperScene,
  tamperings: readonly Tampering[],
): Promise<string[]> {
  const found = await scene.found(async collections => {
    for (const { tamper } of tamperings) await tamper(collections);
  });
  const missed = tamperings.filter(({ difference }) => !found.some(text => difference.test(text)));
  return missed.map(({ kind, difference }) => `${kind}: ${difference} in ${found.join('\n')}`);
}
