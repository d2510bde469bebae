// One-time links that sign a person in to the settings page when no OpenID Connect issuer is configured.
import type { Db } from 'mongodb';
import { createOneTimeSecrets, type OneTimeSecrets } from './one-time-secrets.ts';
import { LINK_MINUTES } from './sign-in-address.ts';

/** The subject of a link is a user's id. */
export type SignInLinks = OneTimeSecrets;

export function createSignInLinks(db: Db): SignInLinks {
  return createOneTimeSecrets(db, 'sign_in_links', LINK_MINUTES * 60_000);
}
