// A scene of the settings pages whose people sign in at a real issuer.
import type { ExecutionContext } from 'ava';
import type { MongoClient } from 'mongodb';
import type { TestMongo } from '../../helpers/mongo.ts';
import { type OidcProvider, startOidcProvider } from '../../helpers/oidc-provider.ts';
import { visitIssuer } from './issuer-visit.ts';
import { startScene } from './settings-scene.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export const CALLBACK = '/settings/sign-in/callback';
export const START = '/settings/sign-in/start';

interface SetUp {
  readonly secret?: string;
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post';
  readonly claims?: Record<string, string>;
  readonly env?: NodeJS.ProcessEnv;
  readonly readers?: number;
  /** As in the options of a scene. */
  readonly client?: MongoClient;
}

/** A scene whose issuer is real. The issuer has to know the address of the scene, and the other way round. */
export async function startOidcScene(t: ExecutionContext, mongo: TestMongo, options: SetUp = {}) {
  const { secret = 'a secret of both', authMethod, claims, env, readers = 1, client } = options;
  let provider: OidcProvider | undefined;
  const startProvider = async (origin: string) => {
    provider = await startOidcProvider({
      clientId: 'budgeting',
      ...(secret && { clientSecret: secret }),
      ...(authMethod && { authMethod }),
      ...(claims && { claims }),
      redirectAddress: origin + CALLBACK,
    });
    return provider.issuer;
  };
  const scene = await startScene(mongo, {
    readers,
    ...(client && { client }),
    env: async origin => ({
      OIDC_ISSUER: await startProvider(origin),
      OIDC_CLIENT_ID: 'budgeting',
      ...(secret && { OIDC_CLIENT_SECRET: secret }),
      ...env,
    }),
  });
  t.teardown(() => scene.stop());
  t.teardown(() => provider?.stop());
  return {
    scene,
    visitor: createVisitor(scene.origin),
    stopIssuer: () => provider?.goAway(),
    startIssuer: () => provider?.comeBack(),
  };
}

/** The way back from the issuer, its path and query. */
export async function goAndReturn(
  visitor: Visitor,
  user: string | null,
  change?: (url: URL) => void,
) {
  const { location } = await visitor.get(START);
  const address = new URL(location);
  change?.(address);
  const back = await visitIssuer(address.href, user);
  return back.pathname + back.search;
}
