import { freePorts } from '../../scripts/kafka/start-kafka.ts';

/** Returns a free port outside the range that the system hands out, so it stays free for a while. */
export async function quietPort(): Promise<number> {
  const [port = 0] = await freePorts([0]);
  return port;
}
