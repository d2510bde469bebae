// Sends requests at a fixed rate, whether earlier ones are answered or not, like many clients that know nothing of each
// other.
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadTarget {
  readonly urls: readonly string[];
  readonly token: string;
}

export interface LoadResult {
  /** Milliseconds of each answered request. */
  readonly times: readonly number[];
  readonly errors: readonly string[];
}

/** A request that takes longer is an error. */
const ANSWER_MS_MAX = 10_000;
const TICK_MS = 20;
const MS_PER_SECOND = 1000;

const agent = new Agent({ keepAlive: true });

/** @param perSecond how many requests begin in a second */
export async function steadyLoad(
  target: LoadTarget,
  perSecond: number,
  ms: number,
): Promise<LoadResult> {
  const times: number[] = [];
  const errors: string[] = [];
  const open: Promise<void>[] = [];
  const beganAtMs = performance.now();
  let sent = 0;
  for (;;) {
    const passedMs = Math.min(performance.now() - beganAtMs, ms);
    const due = Math.floor((passedMs / MS_PER_SECOND) * perSecond);
    for (; sent < due; sent += 1) {
      const url = target.urls[sent % target.urls.length] ?? '';
      open.push(
        ask(url, target.token).then(
          took => void times.push(took),
          (error: Error) => void errors.push(error.message),
        ),
      );
    }
    if (passedMs >= ms) break;
    await sleep(TICK_MS);
  }
  await Promise.all(open);
  return { times, errors };
}

function ask(url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const beganAtMs = performance.now();
    const headers = { authorization: `Bearer ${token}` };
    const request = get(url, { agent, headers, timeout: ANSWER_MS_MAX }, response => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - beganAtMs);
        else
          reject(
            new Error(`Expected 200, got ${response.statusCode} for ${new URL(url).pathname}`),
          );
      });
    });
    request.on('timeout', () => request.destroy(new Error(`No answer within ${ANSWER_MS_MAX} ms`)));
    request.on('error', reject);
  });
}
