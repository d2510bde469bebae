// Links of operators, which sign a person in to the settings page when no OpenID Connect issuer is configured.

/** How long a link from an operator is valid. */
export const LINK_MINUTES = 15;
export const SIGN_IN_PATH = '/settings/sign-in';

/** Returns the URL of a link; `origin` is that of the settings page, such as `http://127.0.0.1:3000`. */
export function signInAddress(origin: string, secret: string): string {
  return `${origin}${SIGN_IN_PATH}?link=${secret}`;
}
