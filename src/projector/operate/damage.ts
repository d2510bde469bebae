// What operators learn of a log that is not the one that was projected: damage that no projector has noticed yet, and
// what to do. Projectors notice damage within 30 seconds, but only while they run, and a log that was made again may be
// as long as the one that was projected.
import type { EventLog } from '../../event-log/event-log.ts';
import { generationCollections } from '../../store/collections.ts';
import { isFed } from '../../store/generation-plan.ts';
import type { ReadDatabase } from '../../store/snapshot.ts';
import { damageOf } from '../log-damage.ts';
import type { GenerationStatus, SystemStatus } from './system-status.ts';

/** Returns the status with the damage of each partition that is not halted for it yet. */
export async function withDamage(
  readModel: ReadDatabase,
  eventLog: EventLog,
  status: SystemStatus,
): Promise<SystemStatus> {
  const generations: GenerationStatus[] = [];
  for (const generation of status.generations) {
    generations.push(
      isFed(generation) ? await checked(readModel, eventLog, generation) : generation,
    );
  }
  return { ...status, generations };
}

async function checked(
  readModel: ReadDatabase,
  eventLog: EventLog,
  generation: GenerationStatus,
): Promise<GenerationStatus> {
  const { checkpoints } = generationCollections(readModel, generation.id);
  const damaged: string[] = [];
  for (const checkpoint of await checkpoints.find().sort({ _id: 1 }).toArray()) {
    if (checkpoint.halted) continue;
    const damage = await damageOf(eventLog, checkpoint._id, checkpoint);
    if (damage !== null) damaged.push(damage);
  }
  return { ...generation, damaged };
}

const RECORDS_BACK =
  'bring the records back at their offsets and start the projectors of the release that made the generation again; docs/operations.md, DATA_LOSS, has all ways out';
const ANOTHER_TOPIC =
  'if EVENTS_TOPIC or KAFKA_BROKERS is wrong, correct it and start the projectors again; a topic that got partitions never loses them: copy its events by key to a new one; docs/operations.md, Another cluster, another topic, more partitions';

/** Returns the way out for each kind of damage among the reasons, once. */
export function remediesOf(reasons: readonly string[]): string[] {
  return [...new Set(reasons.map(remedyOf))];
}

function remedyOf(reason: string): string {
  return / partitions, got /.test(reason) ? ANOTHER_TOPIC : RECORDS_BACK;
}
