// One-time links that sign a person in to the settings page when no OpenID Connect issuer is configured.
import type { Db } from 'mongodb';
import { createOneTimeSecrets, type OneTimeSecrets } from './one-time-secrets.ts';

/** How long a link from an operator is valid. */
export const LINK_MINUTES = 15;
export const SIGN_IN_PATH = '/settings/sign-in';

/** The subject of a link is a user's id. */
export type SignInLinks = OneTimeSecrets;

export function createSignInLinks(db: Db): SignInLinks {
  return createOneTimeSecrets(db, 'sign_in_links', LINK_MINUTES * 60_000);
}

/** Returns the URL of a link; `origin` is that of the settings page, such as `http://127.0.0.1:3000`. */
export function signInAddress(origin: string, secret: string): string {
  return `${origin}${SIGN_IN_PATH}?link=${secret}`;
}
