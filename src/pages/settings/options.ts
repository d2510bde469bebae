// What the settings pages need from the process that serves them.
import type { SignInAttempts, SignInLinks } from '../../access/one-time-secrets.ts';
import type { RateLimiter } from '../../access/rate-limits.ts';
import type { SessionStore } from '../../access/sessions.ts';
import type { TokenStore } from '../../access/tokens.ts';
import type { ProcessBounds } from '../../http/bounds.ts';
import type { Config } from '../../process/config.ts';
import type { Logger } from '../../process/log.ts';
import type { ReadDatabase } from '../../store/snapshot.ts';

export interface SettingsOptions {
  readonly readModel: ReadDatabase;
  readonly access: {
    readonly tokens: TokenStore;
    readonly limiter: RateLimiter;
    readonly sessions: SessionStore;
    readonly links: SignInLinks;
    readonly attempts: SignInAttempts;
  };
  readonly bounds: ProcessBounds;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly config: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'oidc'>;
  /** Returns the origin of these pages, such as `http://127.0.0.1:3000`; known only once the server listens. */
  readonly origin: () => string;
}
