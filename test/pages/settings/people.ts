// People who visit the settings pages, and what they must not have changed.
import type { ExecutionContext } from 'ava';
import type { Scene } from './settings-scene.ts';
import { createVisitor } from './visitor.ts';

/** People of their own, so that tests do not meet: answers who it is, signed in. */
export function people(scene: Scene) {
  let users = 0;
  return async function signedIn(user = `user-${++users}`) {
    const visitor = createVisitor(scene.origin);
    await visitor.signIn(await scene.signInLink(user));
    return { user, visitor };
  };
}

/** Holds that a user has so many tokens, none of them revoked. */
export async function unchanged(
  t: ExecutionContext,
  { tokens }: Scene,
  { user, count }: { readonly user: string; readonly count: number },
): Promise<void> {
  const own = await tokens.list(user);
  t.is(own.length, count);
  t.true(own.every(({ revokedAt }) => revokedAt === null));
}
