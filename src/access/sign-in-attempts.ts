// Sign-ins that are under way at an OpenID Connect issuer. What must not be guessed of one (state, nonce, the
// verifier of its code) follows from its secret, which only the browser holds: nothing of it is stored.
import type { Db } from 'mongodb';
import { createOneTimeSecrets } from './one-time-secrets.ts';
import { deriveSecret } from './secret.ts';

/** A person has so long to sign in at the issuer. */
export const ATTEMPT_MINUTES = 15;

/** What goes to the issuer and must come back (OpenID Connect Core, 3.1.2.1; RFC 7636). */
export interface AttemptChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface SignInAttempts {
  /** Answers the secret for the browser's cookie. */
  begin(now: Date): Promise<string>;
  /** Whether an attempt is under way; afterwards it is not, so that an answer is taken once. */
  end(secret: string, now: Date): Promise<boolean>;
}

export function createSignInAttempts(db: Db): SignInAttempts {
  const secrets = createOneTimeSecrets(db, 'sign_in_attempts', ATTEMPT_MINUTES * 60_000);
  return {
    begin: now => secrets.create('', now),
    end: async (secret, now) => (await secrets.use(secret, now)) !== null,
  };
}

export function attemptChecks(secret: string): AttemptChecks {
  return {
    state: deriveSecret(secret, 'state'),
    nonce: deriveSecret(secret, 'nonce'),
    codeVerifier: deriveSecret(secret, 'code verifier'),
  };
}
