// Commits that wait until a test lets them go, so that a commit is under way for as long as the test needs, and no longer.
import type { CommitSession } from '../../src/store/writing/commit.ts';
import type { PartitionScene } from './partition-scene.ts';

export interface HeldCommits {
  /** The same scene. Only pipelines that are made with it wait. */
  readonly scene: PartitionScene;
  /** From now on so many more commits pass, and later ones wait. */
  allow(commits: number): void;
}

/** Every commit passes until the first call of `allow`. */
export function holdCommits(scene: PartitionScene): HeldCommits {
  const { session } = scene.store;
  let allowed = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];
  async function pass(): Promise<void> {
    if (allowed <= 0) await new Promise<void>(resolve => waiting.push(resolve));
    else allowed -= 1;
  }
  const held: CommitSession = {
    ...session,
    async commit(writes, endsParts) {
      await pass();
      await session.commit(writes, endsParts);
    },
  };
  const store = { ...scene.store, session: held };
  return {
    scene: { ...scene, context: { ...scene.context, store } },
    allow(commits) {
      allowed = commits;
      for (; allowed > 0 && waiting.length > 0; allowed -= 1) waiting.shift()?.();
    },
  };
}
