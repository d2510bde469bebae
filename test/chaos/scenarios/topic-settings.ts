// Changes a setting of a topic in use, as an operator might by mistake.
import kafkajs from 'kafkajs';
import { administer } from '../../helpers/kafka.ts';
import type { Stage } from './stage.ts';

export function setRetention(stage: Stage, ms: number): Promise<void> {
  return setTopic(stage, { 'retention.ms': ms });
}

/** Settings that are not named go back to their defaults. */
export async function setTopic(
  { kafka, topic }: Stage,
  settings: Readonly<Record<string, string | number>>,
): Promise<void> {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const configEntries = Object.entries(settings).map(([name, value]) => ({
    name,
    value: String(value),
  }));
  await administer(kafka, async admin => {
    const resources = [{ type, name: topic, configEntries }];
    await admin.alterConfigs({ validateOnly: false, resources });
  });
}
