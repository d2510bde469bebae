// Starts what tests need before they run, and stops it after them.
import { actual } from './actual.ts';
import { browser } from './browser.ts';
import { kafka } from './kafka.ts';
import { programs } from './programs.ts';
import type { Resource } from './resource.ts';
import { startMongo } from './start-mongo.ts';
import type { Need } from './test-files.ts';

type Start = readonly [Need, () => Promise<Resource>];

/**
 * Both lists are started side by side: the first one is a download of minutes. In a list those that may fail for want of
 * something come first; more than one of the second may install packages, so these take turns.
 */
const STARTS: readonly (readonly Start[])[] = [
  [['actual', actual]],
  [
    ['browser', browser],
    ['programs', programs],
    ['mongo', startMongo],
    ['kafka', kafka],
  ],
];

/** Runs `work` with the environment of its tests, unless the signal aborts before. */
export async function withResources(
  needs: ReadonlySet<Need>,
  signal: AbortSignal,
  work: (env: NodeJS.ProcessEnv) => Promise<number>,
): Promise<number> {
  const resources: Resource[] = [];
  const startAll = async (starts: readonly Start[]): Promise<void> => {
    for (const [need, start] of starts) {
      if (needs.has(need) && !signal.aborted) resources.push(await start());
    }
  };
  try {
    const started = await Promise.allSettled(STARTS.map(startAll));
    for (const one of started) if (one.status === 'rejected') throw one.reason;
    if (signal.aborted) return 1;
    return await work(Object.assign({}, process.env, ...resources.map(({ env }) => env)));
  } finally {
    for (const resource of resources.reverse()) await resource.stop();
  }
}
