// Sign-ins in progress at an OpenID Connect issuer. State, nonce and code verifier are derived from a secret that only
// the browser holds, so none of them is stored.
import type { Db } from 'mongodb';
import { createOneTimeSecrets } from './one-time-secrets.ts';
import { deriveSecret } from './secret.ts';

/** The time that a person has to sign in at the issuer. */
export const ATTEMPT_MINUTES = 15;

/** Values that tie the issuer's answer to its attempt (OpenID Connect Core, 3.1.2.1; RFC 7636). */
export interface AttemptChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface SignInAttempts {
  /** Begins an attempt and returns its secret, for the browser's cookie. */
  begin(now: Date): Promise<string>;
  /** Ends an attempt and returns whether it was in progress, so an issuer's answer is accepted only once. */
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
