// `sign-in`: prints a one-time link to the settings page, unless an OpenID Connect issuer signs people in.
import { LINK_MINUTES, signInAddress } from '../access/sign-in-links.ts';
import { checkId, refusalOf } from '../access/token-request.ts';
import { UserError } from '../process/errors.ts';
import { access } from './opening/openings.ts';
import type { AccessContext } from './opening/store.ts';
import { command, USER } from './syntax/command.ts';

interface SignInContext extends Pick<AccessContext, 'links' | 'now' | 'print'> {
  /** Origin of the settings page, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Host of the OpenID Connect issuer; null if people sign in with links. */
  readonly issuer: string | null;
}

export const signInCommand = command({
  name: 'sign-in',
  usage: '--user U',
  summary: 'makes a one-time link to the settings page, where no OpenID Connect issuer is set',
  details: `The link signs the user in once, within ${LINK_MINUTES} minutes.`,
  options: { user: { ...USER, required: true } },
  refuse: ({ user }) => refusalOf(() => checkId(String(user), 'user')),
  examples: ['sign-in --user anna'],
  audit: { ids: ['user'] },
  async run({ values }, { links, origin, issuer, now, print }: SignInContext) {
    const { user } = values;
    if (issuer !== null) {
      throw new UserError(
        `People sign in at ${issuer} (OIDC_ISSUER), at ${origin}/settings/tokens`,
      );
    }
    // The link is a secret: it is printed, and never logged.
    print(signInAddress(origin, await links.create(user, now())));
    print(`Signs ${user} in, once, within ${LINK_MINUTES} minutes`);
  },
  opens: (environment, run) =>
    access(environment, async context => {
      const { originOf } = await import('./opening/system.ts');
      const { config } = environment;
      const issuer = config.oidc === null ? null : new URL(config.oidc.issuer).host;
      await run({ ...context, origin: await originOf(config), issuer });
    }),
});
