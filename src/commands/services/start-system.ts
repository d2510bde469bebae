// `npm start`: runs the whole system in one process tree: embedded MongoDB, event log, projector and reader.
import { LINK_MINUTES, signInAddress } from '../../access/sign-in-links.ts';
import type { TokenStore } from '../../access/tokens.ts';
import { type DataFolder, openDataFolder } from '../../embedded/data-folder.ts';
import { findMongod } from '../../embedded/find-mongod.ts';
import { lastVersion, type RunningMongod, startMongod } from '../../embedded/mongod.ts';
import { allBounds, type EventLog } from '../../event-log/event-log.ts';
import { shellArgument } from '../../process/printable.ts';
import { SAMPLE_SEED, SAMPLE_USER, sampleEvents } from '../../sample/sample-events.ts';
import { generationCollections } from '../../store/collections.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { retried } from '../../store/retry.ts';
import { currentGeneration } from '../opening/generation.ts';
import type { ProcessContext } from '../opening/process.ts';
import { awaitLog, awaitStore } from '../opening/system.ts';
import { programName } from '../terminal/print.ts';
import { announceSwitch, awaitCatchUp } from './await-catch-up.ts';
import { openManagement } from './management.ts';
import { projectGenerations } from './project-generations.ts';
import { checkReaderPort, type Reader, startReader } from './reader.ts';

const SAMPLE_TOKEN_DAYS = 7;
const SAMPLE_TOKEN_NAME = 'Sample of npm start';

/** @param empty an empty log gets no sample */
export async function startSystem(empty: boolean, context: ProcessContext): Promise<void> {
  const { closing, config, logger, print, stopping } = context;
  const folder = await openDataFolder(config.dataDir);
  closing(() => folder.close());
  const management = await openManagement('start', context);
  closing(() => management.close());
  await checkReaderPort(config);
  const mongod = await openMongod(context, folder);
  if (mongod === null) return;
  const { signal } = stopping;
  const died = mongod.died.then(error => Promise.reject(error));
  died.catch(() => {});
  const located = { ...config, mongodbUrl: mongod.url };
  const connection = await Promise.race([awaitStore(located, logger, signal), died]);
  if (connection === null) return;
  closing(() => connection.close());
  const awaited = await awaitLog({ connection, config: located, logger, signal });
  if (awaited === null) return;
  const { eventLog, isNew } = awaited;
  closing(() => eventLog.close());
  // Only the embedded log gets the sample: a Kafka topic belongs to its producers.
  const withSample = !empty && config.kafka === null;
  const sampled = withSample && isNew && (await loadSample(eventLog, print));
  const reader = await startReader({ connection, config, logger, metrics: management.http });
  closing(() => reader.stop());
  management.watch({ readModel: connection.readModel, eventLog });
  await folder.publish({
    mongodbUrl: mongod.url,
    logFolder: folder.logFolder,
    apiAddress: reader.address,
  });
  const projecting = projectGenerations({
    connection,
    config,
    eventLog,
    logger,
    metrics: management.projector,
    signal,
  });
  // The first part to end stops the others, and its error is the one reported.
  const ended = Promise.race([projecting, died]);
  ended.catch(() => {});
  closing(async () => {
    stopping.abort();
    await projecting.catch(() => {});
  });
  const frozen = await Promise.race([ended, awaitCatchUp(context, connection, eventLog)]);
  if (!signal.aborted) {
    const hasSample =
      sampled ||
      (withSample && (await retried(() => isKnown(connection, SAMPLE_USER), { logger, signal })));
    await announce(context, { folder, reader, operators: management.address, hasSample });
    if (frozen) void announceSwitch(context, connection, frozen);
  }
  await ended;
}

/** Returns null if the process is asked to stop first. */
async function openMongod(
  { closing, config, env, print, stopping: { signal } }: ProcessContext,
  folder: DataFolder,
): Promise<Pick<RunningMongod, 'url' | 'died'> | null> {
  if (config.mongodbUrl !== null) {
    return { url: config.mongodbUrl, died: new Promise(() => {}) };
  }
  const wrote = await lastVersion(folder.mongoFolder);
  const found = await findMongod({ env, report: print, signal, wrote }).catch(error => {
    if (!signal.aborted) throw error;
  });
  if (!found || signal.aborted) return null;
  const mongod = await startMongod({
    binary: found.path,
    version: found.version,
    folder: folder.mongoFolder,
    report: print,
  });
  closing(() => mongod.stop());
  return mongod;
}

/**
 * Loads the sample history into an empty log with one append, so that a killed start leaves all of it or nothing.
 * Returns whether the log was empty.
 */
async function loadSample(eventLog: EventLog, print: (line: string) => void): Promise<boolean> {
  if ((await allBounds(eventLog)).some(({ end }) => end > 0)) return false;
  const today = new Date().toISOString().slice(0, 10);
  const events = [...sampleEvents({ seed: SAMPLE_SEED, today })];
  await eventLog.append(
    events.map(event => ({ key: event.subject, value: JSON.stringify(event) })),
  );
  print(`Loaded a sample history of ${events.length} events`);
  return true;
}

/** Returns whether the user is a member of a space: the log may be one that was begun without the sample. */
async function isKnown(connection: StoreConnection, user: string): Promise<boolean> {
  const { id } = await currentGeneration(connection);
  const { heads } = generationCollections(connection.readModel, id);
  return (await heads.findOne({ 'space.members': user })) !== null;
}

interface RunningSystem {
  readonly folder: DataFolder;
  readonly reader: Reader;
  /** URL of the operators' page. */
  readonly operators: string;
  readonly hasSample: boolean;
}

async function announce(context: ProcessContext, system: RunningSystem): Promise<void> {
  const { print, isTerminal } = context;
  const { folder, reader, operators, hasSample } = system;
  const { address } = reader;
  print('');
  print(`Read API    ${address}/api/v1`);
  print(`API docs    ${address}/docs`);
  print(`Settings    ${reader.origin}/settings/tokens`);
  print(`Sign in     ${await describeSignIn(context, system)}`);
  print(`Operators   ${operators}`);
  if (hasSample) {
    const token = await sampleToken(reader.tokens);
    // Output that does not go to a terminal may end up in a log, so the secret goes to a private file.
    const path = isTerminal ? null : await folder.keepSecret('token', token);
    const shown = path === null ? token : `$(cat ${shellArgument(path)})`;
    print(
      `Token       ${path === null ? token : `in ${path}`} (user ${SAMPLE_USER}, ${SAMPLE_TOKEN_DAYS} days; new at each start)`,
    );
    print('');
    print(`Try         curl -H "Authorization: Bearer ${shown}" ${address}/api/v1/budgets`);
  } else {
    for (const line of nextSteps(programName(context.env))) print(line);
  }
  print('');
  const { npm_lifecycle_event: script } = context.env;
  const again = script === 'start' ? 'npm start' : `${programName(context.env)} start`;
  print(`Ctrl+C stops; ${again} goes on where it stopped`);
}

function nextSteps(program: string): string[] {
  return [
    '',
    'Next, in another terminal: events of your own, or a budget from YNAB or Actual Budget',
    `            ${program} append FILE`,
    `            ${program} import ynab|actual FILE --user U --currency C`,
    `            ${program} token issue --user U`,
  ];
}

// Revokes the token of the previous start, so that one sample token is valid at a time.
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

async function describeSignIn(
  { config, env, isTerminal }: ProcessContext,
  { folder, reader, hasSample }: RunningSystem,
): Promise<string> {
  const { origin, links } = reader;
  if (config.oidc !== null) return `at ${new URL(config.oidc.issuer).host}`;
  if (!hasSample) return `${programName(env)} sign-in --user U prints a link`;
  const link = signInAddress(origin, await links.create(SAMPLE_USER, new Date()));
  const shown = isTerminal ? link : `in ${await folder.keepSecret('sign-in-link', link)}`;
  return `${shown} (user ${SAMPLE_USER}, once, ${LINK_MINUTES} minutes)`;
}
