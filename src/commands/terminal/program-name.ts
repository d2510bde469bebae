// How a person calls this program, so that printed commands work as they are.

/** Scripts and programs of npm that only a checkout has. */
const IN_CHECKOUT: readonly (string | undefined)[] = ['npx', 'start'];

/** Returns `npx budgeting` for a program that npx or `npm start` started, as in a checkout. */
export function programName(env: NodeJS.ProcessEnv): string {
  return IN_CHECKOUT.includes(env.npm_lifecycle_event) ? 'npx budgeting' : 'budgeting';
}
