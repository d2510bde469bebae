// Signs in at the test's issuer without a browser.
import { createVisitor } from './visitor.ts';

/** Follows an authorisation address to its end: where the issuer sends the browser back to. */
export async function visitIssuer(address: string, user: string | null): Promise<URL> {
  const { origin } = new URL(address);
  const visitor = createVisitor(origin);
  let next = new URL(address);
  for (let steps = 0; steps < 6; steps += 1) {
    if (next.pathname.startsWith('/interaction/')) {
      next.search = user === null ? 'deny' : `as=${user}`;
    }
    const answer = await visitor.get(next.pathname + next.search);
    if (answer.location === '') throw new Error(`Expected to be led on, got ${answer.text}`);
    next = new URL(answer.location, next);
    if (next.origin !== origin) return next;
  }
  throw new Error(`Expected to be led back, got to ${next.href}`);
}
