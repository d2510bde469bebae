// Commits that wait until a test lets them go, so that a commit is under way for as long as the test needs, and no longer.
import { committing } from './committing.ts';
import type { PartitionScene } from './partition-scene.ts';

export interface HeldCommits {
  /** The same scene. Only pipelines that are made with it wait. */
  readonly scene: PartitionScene;
  /** From now on so many more commits pass, and later ones wait. */
  allow(commits: number): void;
}

/** Every commit passes until the first call of `allow`. */
export function holdCommits(scene: PartitionScene): HeldCommits {
  let allowed = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];
  const store = committing(scene.store, async (_, pass) => {
    if (allowed <= 0) await new Promise<void>(resolve => waiting.push(resolve));
    else allowed -= 1;
    await pass();
  });
  return {
    scene: { ...scene, context: { ...scene.context, store } },
    allow(commits) {
      allowed = commits;
      for (; allowed > 0 && waiting.length > 0; allowed -= 1) waiting.shift()?.();
    },
  };
}
