// `npm start`: the whole system in one process tree, on the embedded defaults.
import { LINK_MINUTES, signInAddress } from '../access/sign-in-links.ts';
import type { TokenStore } from '../access/tokens.ts';
import type { Config } from '../config.ts';
import { type DataFolder, openDataFolder } from '../embedded/data-folder.ts';
import { findMongod } from '../embedded/find-mongod.ts';
import { type RunningMongod, startMongod } from '../embedded/mongod.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import { SAMPLE_SEED, SAMPLE_USER, sampleEvents } from '../sample/sample-events.ts';
import { caughtUp, tellSwitch } from './caught-up.ts';
import { projectGenerations } from './generations.ts';
import { type OpenManagement, openManagement } from './management.ts';
import { type Reader, startReader } from './reader.ts';
import { awaitLog, awaitStore } from './system.ts';
import { SIGN_IN_USAGE, START_USAGE } from './usages.ts';
import { parseWords } from './words.ts';

const SAMPLE_TOKEN_DAYS = 7;
const SAMPLE_TOKEN_NAME = 'Sample of npm start';

export interface StartContext {
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  readonly print: (line: string) => void;
  readonly isTerminal: boolean;
  /** Aborted to stop; aborts itself when a part fails. */
  readonly stopping: AbortController;
}

/** Closes what was opened, last first. */
type Closers = (() => Promise<unknown>)[];

export async function runStart(args: string[], context: StartContext): Promise<void> {
  const { values } = parseWords({ args, options: { empty: { type: 'boolean' } } }, START_USAGE);
  const closers: Closers = [];
  try {
    await run(context, values.empty === true, closers);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function run(context: StartContext, empty: boolean, closers: Closers): Promise<void> {
  const { config, log, print, stopping } = context;
  const folder = await openDataFolder(config.dataDir);
  closers.push(() => folder.close());
  const management = await openManagement('start', context);
  closers.push(() => management.close());
  const mongod = await openMongod(context, folder, closers);
  if (mongod === null) return;
  const { signal } = stopping;
  const died = mongod.died.then(error => Promise.reject(error));
  died.catch(() => {});
  const place = { ...config, mongodbUrl: mongod.url };
  const connection = await Promise.race([awaitStore(place, log, signal), died]);
  if (connection === null) return;
  closers.push(() => connection.close());
  const awaited = await awaitLog(connection, place, log, signal);
  if (awaited === null) return;
  const { eventLog, isNew } = awaited;
  closers.push(() => eventLog.close());
  // A sample is for the embedded log alone: a topic belongs to its producers.
  const withSample = !empty && config.kafka === null;
  const sampled = withSample && isNew && (await loadSample(eventLog, print));
  management.watch({ readModel: connection.readModel, log: eventLog });
  const reader = await startReader(connection, config, log, management.http);
  closers.push(() => reader.stop());
  await folder.publish({
    mongodbUrl: mongod.url,
    logFolder: folder.logFolder,
    apiAddress: reader.address,
  });
  const { projector } = management;
  const projecting = projectGenerations(connection, config, eventLog, log, projector, signal);
  // Whatever part ends first ends the rest; its own error is what is reported.
  const ended = Promise.race([projecting, died]);
  ended.catch(() => {});
  closers.push(async () => {
    stopping.abort();
    await projecting.catch(() => {});
  });
  const frozen = await Promise.race([ended, caughtUp(context, connection, eventLog)]);
  if (!signal.aborted) {
    await announce(context, folder, reader, management, sampled || withSample);
    if (frozen) void tellSwitch(context, connection, frozen);
  }
  await ended;
}

/** Null when it is to stop before there is one. */
async function openMongod(
  { config, env, print, stopping: { signal } }: StartContext,
  folder: DataFolder,
  closers: Closers,
): Promise<Pick<RunningMongod, 'url' | 'died'> | null> {
  if (config.mongodbUrl !== null) {
    return { url: config.mongodbUrl, died: new Promise(() => {}) };
  }
  const found = await findMongod({ env, report: print, signal }).catch(error => {
    if (!signal.aborted) throw error;
  });
  if (!found || signal.aborted) return null;
  const mongod = await startMongod({
    binary: found.path,
    folder: folder.mongoFolder,
    report: print,
  });
  closers.push(() => mongod.stop());
  return mongod;
}

/** Loads the sample history into an empty log: whole, so that a killed start leaves none or all of it. */
async function loadSample(log: EventLog, print: (line: string) => void): Promise<boolean> {
  for (let partition = 0; partition < (await log.partitions()); partition += 1) {
    const { end } = await log.bounds(partition);
    if (end > 0) return false;
  }
  const today = new Date().toISOString().slice(0, 10);
  const events = [...sampleEvents({ seed: SAMPLE_SEED, today })];
  await log.append(events.map(event => ({ key: event.subject, value: JSON.stringify(event) })));
  print(`Loaded a sample history of ${events.length} events`);
  return true;
}

async function announce(
  context: StartContext,
  folder: DataFolder,
  reader: Reader,
  management: OpenManagement,
  hasSample: boolean,
): Promise<void> {
  const { print, isTerminal } = context;
  const { address } = reader;
  print('');
  print(`Read API    ${address}/api/v1`);
  print(`API docs    ${address}/docs`);
  print(`Settings    ${reader.origin}/settings/tokens`);
  print(`Sign in     ${await signInLine(context, folder, reader, hasSample)}`);
  print(`Operators   ${management.address}`);
  if (hasSample) {
    const token = await sampleToken(reader.tokens);
    // Output that is no terminal may end up in a log: a secret goes to a file.
    const path = isTerminal ? null : await folder.keepSecret('token', token);
    const shown = path === null ? token : `$(cat ${path})`;
    print(
      `Token       ${path === null ? token : `in ${path}`} (user ${SAMPLE_USER}, ${SAMPLE_TOKEN_DAYS} days)`,
    );
    print('');
    print(`Try         curl -H "Authorization: Bearer ${shown}" ${address}/api/v1/budgets`);
  }
  print('');
  print('Ctrl+C stops; npm start goes on where it stopped');
}

// The token of the last start is replaced.
async function sampleToken(tokens: TokenStore): Promise<string> {
  const now = new Date();
  for (const token of await tokens.list(SAMPLE_USER)) {
    if (token.name === SAMPLE_TOKEN_NAME && token.revokedAt === null) {
      await tokens.revoke(token.id, now);
    }
  }
  const request = { owner: SAMPLE_USER, name: SAMPLE_TOKEN_NAME, expiresInDays: SAMPLE_TOKEN_DAYS };
  return (await tokens.issue(request, now)).token;
}

async function signInLine(
  { config, isTerminal }: StartContext,
  folder: DataFolder,
  { origin, links }: Reader,
  hasSample: boolean,
): Promise<string> {
  if (config.oidc !== null) return `at ${new URL(config.oidc.issuer).host}`;
  if (!hasSample) return `npx budgeting ${SIGN_IN_USAGE} prints a link`;
  const link = signInAddress(origin, await links.create(SAMPLE_USER, new Date()));
  const shown = isTerminal ? link : `in ${await folder.keepSecret('sign-in-link', link)}`;
  return `${shown} (user ${SAMPLE_USER}, once, ${LINK_MINUTES} minutes)`;
}
