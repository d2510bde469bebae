// A process with its management port for tests: a folder log, projectors and a reader over a real mongod.
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { createTokenStore } from '../../../src/access/tokens.ts';
import { projectGenerations } from '../../../src/commands/services/project-generations.ts';
import { startReader } from '../../../src/commands/services/reader.ts';
import { openFolderLog } from '../../../src/event-log/folder/folder-log.ts';
import { createManagement } from '../../../src/pages/operators/create-management.ts';
import { loadConfig } from '../../../src/process/config.ts';
import type { Logger } from '../../../src/process/log.ts';
import { type Registry, readRegistry } from '../../../src/store/registry.ts';
import type { TestMongo } from '../../helpers/mongo.ts';
import { memoryLog } from '../../http/memory-log.ts';
import { type Family, parsePrometheus } from './prometheus-text.ts';

export interface SceneOptions {
  /** Configuration of the reader. */
  readonly env?: NodeJS.ProcessEnv;
  readonly logger?: Logger;
  readonly partitions?: number;
  /** Default: that of the test. Another one can be closed. */
  readonly client?: TestMongo['client'];
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startManagementScene(mongo: TestMongo, options: SceneOptions = {}) {
  const { logger = memoryLog().logger, partitions = 2, client = mongo.client, env = {} } = options;
  const readModel = client.db(mongo.database('management').databaseName);
  const access = client.db(mongo.newDatabase('management_access').databaseName);
  const connection = { client, readModel, database: () => access, close: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-management-'));
  const eventLog = await openFolderLog(folder, { partitions });
  const config = loadConfig({ PORT: '0', ...env });
  const stopping = new AbortController();
  const management = await createManagement({
    host: '127.0.0.1',
    port: 0,
    command: 'start',
    reads: true,
    projects: true,
    version: PROJECTIONS_VERSION,
    stopping: stopping.signal,
    now: () => new Date(),
    logger,
  });
  const closers: (() => Promise<unknown>)[] = [];
  const address = `http://127.0.0.1:${management.port}`;
  const ask = (path: string, asked: Asked = {}) => askPort(management.port, path, asked);
  return {
    address,
    management,
    readModel,
    eventLog,
    stopping,
    tokens: createTokenStore(access),
    connection,
    ask,
    watch: () => management.watch({ readModel, eventLog }),
    /** Projects until the scene stops, or the returned object does. */
    project() {
      const ending = new AbortController();
      const running = projectGenerations({
        connection,
        config,
        eventLog,
        logger,
        metrics: management.projector,
        signal: ending.signal,
      });
      running.catch(err => logger.error({ err }, 'projector failed'));
      const stop = async () => {
        ending.abort();
        await running;
      };
      closers.push(() => stop().catch(() => {}));
      return { stop };
    },
    async read() {
      const reader = await startReader({
        connection,
        config,
        logger,
        metrics: management.http,
      });
      closers.push(reader.stop);
      return reader;
    },
    append: (events: readonly { readonly subject: string }[]) =>
      eventLog.append(events.map(event => ({ key: event.subject, value: JSON.stringify(event) }))),
    async until(isWanted: (registry: Registry) => boolean): Promise<Registry> {
      for (;;) {
        const registry = await readRegistry(readModel);
        if (isWanted(registry)) return registry;
        await sleep(25);
      }
    },
    /** Returns the metrics once they fulfil the condition; a snapshot is cached for a second. */
    metrics: (isWanted?: (families: Families) => boolean) => metricsOf(management.port, isWanted),
    /** Returns the operators' page once it matches all patterns. */
    async page(...patterns: readonly RegExp[]): Promise<string> {
      for (;;) {
        const { text } = await ask('/');
        if (patterns.every(pattern => pattern.test(text))) return text;
        await sleep(100);
      }
    },
    /** Returns the answer of /readyz once it waits for exactly these; for none when it is ready. */
    async waitsFor(...names: readonly string[]) {
      for (;;) {
        const { status, text } = await ask('/readyz');
        const body = JSON.parse(text) as { ready: boolean; waitsFor: { what: string }[] };
        if (body.waitsFor.map(({ what }) => what).join() === names.join()) return { status, body };
        await sleep(100);
      }
    },
    async stop() {
      for (const close of closers.reverse()) await close();
      await management.close();
      await eventLog.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Families = ReadonlyMap<string, Family>;

/** Returns the metrics of a port once they fulfil the condition. */
export async function metricsOf(
  port: number,
  isWanted: (families: Families) => boolean = () => true,
): Promise<Families> {
  for (;;) {
    const families = parsePrometheus((await askPort(port, '/metrics')).text);
    if (isWanted(families)) return families;
    await sleep(100);
  }
}

export type ManagementScene = Awaited<ReturnType<typeof startManagementScene>>;

/** Sends any Host header, which fetch cannot. */
export function askPort(port: number, path: string, { method = 'GET', headers = {} }: Asked = {}) {
  return new Promise<{
    readonly status: number;
    readonly headers: NodeJS.Dict<string | string[]>;
    readonly text: string;
  }>((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    asking.on('error', reject);
    asking.end();
  });
}
