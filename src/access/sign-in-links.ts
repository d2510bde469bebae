// Links that sign a person in to the settings page once, where no OpenID Connect issuer is configured.
import type { Db } from 'mongodb';
import { createOneTimeSecrets, type OneTimeSecrets } from './one-time-secrets.ts';

/** A link of an operator is good for so long. */
export const LINK_MINUTES = 15;
export const SIGN_IN_PATH = '/settings/sign-in';

/** Each stands for a user's id. */
export type SignInLinks = OneTimeSecrets;

export function createSignInLinks(db: Db): SignInLinks {
  return createOneTimeSecrets(db, 'sign_in_links', LINK_MINUTES * 60_000);
}

/** The address of a link; `origin` is where people reach the settings page, such as `http://127.0.0.1:3000`. */
export function signInAddress(origin: string, secret: string): string {
  return `${origin}${SIGN_IN_PATH}?link=${secret}`;
}
