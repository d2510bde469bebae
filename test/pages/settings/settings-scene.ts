// Readers with their settings pages for tests, side by side over real databases, behind one address.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MongoClient } from 'mongodb';
import { createSignInLinks } from '../../../src/access/one-time-secrets.ts';
import { createSessionStore } from '../../../src/access/sessions.ts';
import { signInAddress } from '../../../src/access/sign-in-links.ts';
import { createTokenStore } from '../../../src/access/tokens.ts';
import { startReader } from '../../../src/commands/services/reader.ts';
import { loadConfig } from '../../../src/process/config.ts';
import type { TestMongo } from '../../helpers/mongo.ts';
import { createReadModel } from '../../helpers/read-model.ts';
import { memoryLog } from '../../http/memory-log.ts';
import { budget, space } from '../../model/scene.ts';

export interface SceneOptions {
  readonly readers?: number;
  /** More configuration. It may depend on the scene's address. */
  readonly env?: (origin: string) => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>;
  /** The test's own by default. A test may close another one. */
  readonly client?: MongoClient;
}

/** Requests go to the readers in turn. PUBLIC_URL is the address in front of them. */
export async function startScene(mongo: TestMongo, options: SceneOptions = {}) {
  const { readers: count = 1, env = () => ({}), client = mongo.client } = options;
  const access = client.db(mongo.newDatabase('settings_access').databaseName);
  const readModel = client.db(mongo.database('settings').databaseName);
  // By a client of its own: what `client` sends is the readers'.
  const model = await createReadModel(mongo.client.db(readModel.databaseName));
  await model.activate();
  const front = await startFront();
  const config = loadConfig({ PORT: '0', PUBLIC_URL: front.origin, ...(await env(front.origin)) });
  const { logger, lines } = memoryLog();
  const connection = {
    client,
    readModel,
    database: () => access,
    close: async () => {},
  };
  const readers = await Promise.all(
    Array.from({ length: count }, () => startReader({ connection, config, logger })),
  );
  front.ports.push(...readers.map(({ address }) => Number(new URL(address).port)));
  const links = createSignInLinks(access);
  return {
    origin: front.origin,
    access,
    readModel,
    model,
    /** Returns everything that was logged, as one text. */
    logged: () => JSON.stringify(lines),
    tokens: createTokenStore(access),
    sessions: createSessionStore(access),
    links,
    signInLink: async (user: string) =>
      signInAddress(front.origin, await links.create(user, new Date())),
    async stop() {
      for (const reader of readers) await reader.stop();
      await front.stop();
    },
  };
}

export type Scene = Awaited<ReturnType<typeof startScene>>;

/** Anna has two budgets of the same name and one more; Bert has another space. */
export async function projectSpaces({ model: { project } }: Scene): Promise<void> {
  await project('home', ...space(['anna'], 'Home'));
  await project('club', ...space(['anna', 'bert'], 'Club'));
  await project('office', ...space(['bert'], 'Office'));
  await project('b-food', budget('home', 'Food'));
  await project('b-trips', budget('home', 'Trips'));
  await project('b-club', budget('club', 'Food'));
  await project('b-office', budget('office', 'Office'));
}

/** Starts a proxy that sends each request to the next of its ports. */
async function startFront() {
  const ports: number[] = [];
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = createServer((incoming: IncomingMessage, answer: ServerResponse) => {
    const port = ports[turn++ % ports.length];
    const { method, url, headers } = incoming;
    const onward = request(
      { host: '127.0.0.1', port, method, path: url, headers, agent },
      response => {
        answer.writeHead(response.statusCode ?? 500, response.rawHeaders);
        response.pipe(answer);
      },
    );
    onward.on('error', () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    ports,
    stop: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}
