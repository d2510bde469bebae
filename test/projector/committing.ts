// A projector's store whose commits pass through a test: it looks on, acts before one, or fails it.
import type { ProjectorStore } from '../../src/projector/store.ts';
import type { CommitSession, FoldWrites } from '../../src/store/writing/commit.ts';

/** @param by commits by calling `pass`, or not */
export function committing(
  store: ProjectorStore,
  by: (writes: FoldWrites, pass: () => Promise<void>) => Promise<void>,
): ProjectorStore {
  const { session } = store;
  const commit: CommitSession['commit'] = (writes, endsParts) =>
    by(writes, () => session.commit(writes, endsParts));
  return { ...store, session: { ...session, commit } };
}

/** Acts before the first commit. */
export function beforeCommit(store: ProjectorStore, act: () => Promise<unknown>): ProjectorStore {
  let hasActed = false;
  return committing(store, async (_, pass) => {
    const isFirst = !hasActed;
    // What it does may commit too.
    hasActed = true;
    if (isFirst) await act();
    await pass();
  });
}

/** Lets some commits through, and then fails as if the process were killed. */
export function killedAfter(store: ProjectorStore, commits: number): ProjectorStore {
  let left = commits;
  return committing(store, async (_, pass) => {
    if (left === 0) throw new Error('Killed');
    left -= 1;
    await pass();
  });
}
