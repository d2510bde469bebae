import { freePorts } from '../../scripts/kafka/start-kafka.ts';

/** A free port that the system hands to nobody who asks for any: it is still free a while later. */
export async function quietPort(): Promise<number> {
  const [port = 0] = await freePorts([0]);
  return port;
}
