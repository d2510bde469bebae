import { randomInt } from 'node:crypto';
import { freePort } from '../../src/embedded/mongod-process.ts';

/** A free port that the system hands to nobody who asks for any: it is still free a while later. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const wanted = randomInt(15_000, 30_000);
    if ((await freePort(wanted)) === wanted) return wanted;
  }
}
