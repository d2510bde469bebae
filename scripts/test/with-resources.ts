// Starts what tests need before they run, and stops it after them.
import { actual } from './actual.ts';
import { browser } from './browser.ts';
import { kafka } from './kafka.ts';
import { programs } from './programs.ts';
import type { Resource } from './resource.ts';
import { startMongo } from './start-mongo.ts';
import type { Need } from './test-files.ts';

/** Those that may fail for want of something come first. */
const STARTS: readonly (readonly [Need, () => Promise<Resource>])[] = [
  ['actual', actual],
  ['browser', browser],
  ['programs', programs],
  ['mongo', startMongo],
  ['kafka', kafka],
];

/** Runs `work` with the environment of its tests, unless the signal aborts before. */
export async function withResources(
  needs: ReadonlySet<Need>,
  signal: AbortSignal,
  work: (env: NodeJS.ProcessEnv) => Promise<number>,
): Promise<number> {
  const resources: Resource[] = [];
  try {
    for (const [need, start] of STARTS) {
      if (!needs.has(need)) continue;
      resources.push(await start());
      if (signal.aborted) return 1;
    }
    return await work(Object.assign({}, process.env, ...resources.map(({ env }) => env)));
  } finally {
    for (const resource of resources.reverse()) await resource.stop();
  }
}
