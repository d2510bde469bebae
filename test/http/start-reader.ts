// The API on a port of its own, for each kind of reader that tests start.
import openapi from '../../schemas/openapi.json' with { type: 'json' };
import { type AppOptions, createApp } from '../../src/http/create-app.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { refuseUnread } from '../../src/http/refuse-unread.ts';

const HOST = '127.0.0.1';

type Config = AppOptions['config'];

/** The options of the app that differ from test to test. */
interface ReaderOptions extends Omit<AppOptions, 'config' | 'openapi'> {
  readonly openapi?: object;
  readonly config: Partial<Config> & Pick<Config, 'limits'>;
}

export function startReader({ config, ...options }: ReaderOptions): Promise<Listening> {
  const { access, logger, observe, bounds } = options;
  const app = createApp({
    openapi,
    ...options,
    config: { trustedProxies: 0, host: HOST, ...config },
  });
  return listen(app.callback(), {
    host: HOST,
    port: 0,
    refuse: refuseUnread({ limiter: access.limiter, logger, ...(observe && { observe }) }),
    ...(bounds && { connections: bounds.connections }),
  });
}
