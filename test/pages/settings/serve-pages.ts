// The settings pages without a database for tests, in a reader that reads nothing.
import type { ExecutionContext } from 'ava';
import { MongoClient } from 'mongodb';
import { createLocalCounts } from '../../../src/access/limiter.ts';
import type { SignInLinks } from '../../../src/access/one-time-secrets.ts';
import type { SessionStore } from '../../../src/access/sessions.ts';
import { createBounds } from '../../../src/http/bounds.ts';
import { createPages } from '../../../src/pages/settings/create-pages.ts';
import type { OidcConfig } from '../../../src/process/config.ts';
import { memoryLog } from '../../http/memory-log.ts';
import { serveBare } from '../../http/serve-bare.ts';
import { createVisitor } from './visitor.ts';

const never = () => Promise.reject(new Error('Expected no question'));

export interface PagesOptions {
  readonly sessions?: Partial<SessionStore>;
  readonly links?: Partial<SignInLinks>;
  readonly clock?: () => Date;
  readonly oidc?: OidcConfig;
}

export async function servePages(t: ExecutionContext, options: PagesOptions) {
  const { sessions = {}, links = {}, clock = () => new Date(), oidc = null } = options;
  const counts = createLocalCounts(1_000_000);
  const countAddress = async (address: string) => counts.count(address, 0);
  const pages = createPages({
    readModel: new MongoClient('mongodb://127.0.0.1:1').db('none'),
    access: {
      tokens: {
        issue: never,
        issueWithin: never,
        reached: never,
        find: never,
        findOwn: async () => null,
        unrevoked: never,
        list: never,
        own: async () => {
          const none = { tokens: [], isCut: false };
          return { active: none, ended: none };
        },
        revoke: never,
        touch: never,
        history: async () => [],
      },
      limiter: {
        refusedHere: () => null,
        countAddress,
        countHere: address => counts.count(address, 0),
        countToken: never,
      },
      sessions: {
        begin: never,
        find: never,
        end: never,
        endAll: never,
        useForm: never,
        ...sessions,
      },
      links: { create: never, find: never, use: never, ...links },
      attempts: { begin: never, end: never },
    },
    bounds: createBounds(),
    clock,
    logger: memoryLog().logger,
    config: { host: '127.0.0.1', publicUrl: null, trustedProxies: 1, oidc },
    origin: () => origin,
  });
  const { port } = await serveBare(t, { pages });
  const origin = `http://127.0.0.1:${port}`;
  return { port, origin, visitor: () => createVisitor(origin) };
}
