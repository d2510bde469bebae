// How a person calls this program, so that printed commands work as they are.

/** Returns `npx budgeting` for a program that npx started, as in a checkout. */
export function programName(env: NodeJS.ProcessEnv): string {
  return env.npm_lifecycle_event === 'npx' ? 'npx budgeting' : 'budgeting';
}
