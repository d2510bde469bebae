// Changes a setting of a topic in use, as an operator might by mistake.
import kafkajs from 'kafkajs';
import { administer } from '../../helpers/kafka.ts';
import type { Stage } from './stage.ts';

export async function setRetention({ kafka, topic }: Stage, ms: number): Promise<void> {
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const configEntries = [{ name: 'retention.ms', value: String(ms) }];
  await administer(kafka, async admin => {
    const resources = [{ type, name: topic, configEntries }];
    await admin.alterConfigs({ validateOnly: false, resources });
  });
}
