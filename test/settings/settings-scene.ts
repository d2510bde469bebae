// Readers with their settings pages for tests, side by side over real databases, behind an address of their own.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MongoClient } from 'mongodb';
import { createSessionStore } from '../../src/access/sessions.ts';
import { createSignInLinks, signInAddress } from '../../src/access/sign-in-links.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { startReader } from '../../src/commands/reader.ts';
import { loadConfig } from '../../src/config.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { memoryLog } from '../http/memory-log.ts';
import { createModel, writeBudget, writeSpace } from '../read-store/write-model.ts';

export interface SceneOptions {
  readonly readers?: number;
  /** Configuration beside what the scene needs, which may depend on the scene's address. */
  readonly env?: (origin: string) => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>;
  /** Default: the test's own. Another one can be closed. */
  readonly client?: MongoClient;
}

/** Requests go to the readers in turn. PUBLIC_URL is the address in front of them. */
export async function startScene(mongo: TestMongo, options: SceneOptions = {}) {
  const { readers: count = 1, env = () => ({}), client = mongo.client } = options;
  const access = client.db(mongo.database('settings_access').databaseName);
  const readModel = client.db(mongo.database('settings').databaseName);
  const model = await createModel(readModel);
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
    /** All that was logged, as one text. */
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

/** Anna has two budgets of one name, and one more; Bert has another space. */
export async function writeHome({ model }: Scene): Promise<void> {
  await writeSpace(model, 'home', ['anna'], { name: 'Home' });
  await writeSpace(model, 'club', ['anna', 'bert'], { name: 'Club' });
  await writeSpace(model, 'office', ['bert'], { name: 'Office' });
  await writeBudget(model, { id: 'b-food', spaceId: 'home', name: 'Food' });
  await writeBudget(model, { id: 'b-trips', spaceId: 'home', name: 'Trips' });
  await writeBudget(model, { id: 'b-club', spaceId: 'club', name: 'Food' });
  await writeBudget(model, { id: 'b-office', spaceId: 'office', name: 'Office' });
}

/** An address that hands each request to the next of its ports. */
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
