// Records that do not belong to a stream where they lie: in the wrong partition, under a wrong key, under none.
import type { Message } from 'kafkajs';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import type { Random } from '../histories/random.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { activeCollections } from './active-collections.ts';
import type { Fault } from './fault.ts';
import { messageOf } from './traffic.ts';
import type { World } from './world.ts';

const STRAYS_MAX = 12;
/** A stray has one of the next sequences of its key's stream. */
const AHEAD_MAX = 3;

export const STRAY_FAULTS: readonly Fault[] = [
  {
    name: 'records in the wrong partition',
    weight: 1,
    of: 'strays',
    run: (world, random) =>
      stray(world, random, (message, { partitions }) => misplaced(message, partitions, random)),
  },
  {
    name: 'copies of a new stream in the wrong partition, before their originals',
    weight: 1,
    of: 'strays',
    async run({ traffic, partitions }, random) {
      const event = eventMaker(`copied-${random.below(1e9)}`);
      const events = [CREATED, payee('one'), payee('two')].map(draft => event(draft));
      const originals = events.map(one => messageOf(one.subject, one, partitions));
      const copies = originals.map(message => misplaced(message, partitions, random));
      // The originals after all copies, or the later ones alone.
      const early = random.between(0, 1);
      traffic.inject([...originals.slice(0, early), ...copies, ...originals.slice(early)]);
    },
  },
  {
    name: 'records under a wrong key',
    weight: 1,
    of: 'strays',
    run: (world, random) =>
      stray(world, random, (message, { partitions }, begun) => {
        const others = [...begun.keys()].filter(id => id !== message.key);
        if (others.length === 0) return null;
        const key = random.pick(others);
        const sequence = (begun.get(key) ?? 0) + random.between(0, AHEAD_MAX);
        const value = JSON.stringify({ ...JSON.parse(String(message.value)), sequence });
        return { key, value, partition: partitionOf(key, partitions) };
      }),
  },
  {
    name: 'records without a key',
    weight: 1,
    of: 'strays',
    run: (world, random) =>
      stray(world, random, ({ value }, { partitions }) => {
        return { key: null, value, partition: random.below(partitions) };
      }),
  },
];

function misplaced({ key = null, value }: Message, partitions: number, random: Random): Message {
  const ownPartition = partitionOf(String(key), partitions);
  return { key, value, partition: (ownPartition + random.between(1, partitions - 1)) % partitions };
}

type ToStray = (
  message: Message,
  world: World,
  begun: ReadonlyMap<string, number>,
) => Message | null;

/** Copies events, both earlier and later ones of the history; none may count where it does not belong. */
async function stray(world: World, random: Random, toStray: ToStray): Promise<void> {
  const { traffic } = world;
  const begun = await begunStreams(world).catch(() => new Map<string, number>());
  const count = random.between(1, STRAYS_MAX);
  const messages = [...traffic.earlier(count), ...traffic.later(count)];
  traffic.inject(
    random.some(messages, count).flatMap(message => toStray(message, world, begun) ?? []),
  );
}

/** Returns streams that have begun, each with its last sequence. */
async function begunStreams({ client }: World): Promise<Map<string, number>> {
  const { heads } = await activeCollections(client);
  const found = await heads.find({ sequence: { $gt: 0 }, deleted: false }).toArray();
  return new Map(found.map(({ _id, sequence }) => [_id, sequence]));
}
